/** Links to Nats (§13, D36–D38). */
@NullMarked
package dev.harmovela.transport.nats;

import org.jspecify.annotations.NullMarked;
