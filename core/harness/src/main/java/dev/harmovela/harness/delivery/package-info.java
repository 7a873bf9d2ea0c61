/** Handing events out: positions, windows, attempts, acknowledgements. */
@NullMarked
package dev.harmovela.harness.delivery;

import org.jspecify.annotations.NullMarked;
