/**
 * A hub, its disk and its clients under one seeded scheduler, watched by an oracle that knows only what clients
 * saw.
 */
@NullMarked
package dev.harmovela.testkit.sim;

import org.jspecify.annotations.NullMarked;
