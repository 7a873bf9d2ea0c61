/** Frames of the log: one input, its events and its facts, and the newest of them in memory. */
@NullMarked
package dev.harmovela.harness.frame;

import org.jspecify.annotations.NullMarked;
