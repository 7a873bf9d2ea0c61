/** Compatibility evidence: who speaks what over which transport, cell by cell. */
@NullMarked
package dev.harmovela.conformance.matrix;

import org.jspecify.annotations.NullMarked;
