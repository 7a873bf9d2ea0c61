/** Transition tables: what a protocol machine may do, as data. */
@NullMarked
package dev.harmovela.contract.lifecycle;

import org.jspecify.annotations.NullMarked;
