/** Budgets that hold, goals, and what became of the work (§11). */
@NullMarked
package dev.harmovela.dimension.adaptation;

import org.jspecify.annotations.NullMarked;
