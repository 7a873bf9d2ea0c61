/** Which subscriptions an event belongs to. */
@NullMarked
package dev.harmovela.harness.routing;

import org.jspecify.annotations.NullMarked;
