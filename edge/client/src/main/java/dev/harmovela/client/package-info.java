/** A client that attaches an agent to a hub. */
@NullMarked
package dev.harmovela.client;

import org.jspecify.annotations.NullMarked;
