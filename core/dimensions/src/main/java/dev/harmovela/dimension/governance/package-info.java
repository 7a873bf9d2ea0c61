/** Budgets, interruptions, approvals and the record of who did what. */
@NullMarked
package dev.harmovela.dimension.governance;

import org.jspecify.annotations.NullMarked;
