/** Directed requests and their one answer: commands and queries (§10, D25, D28, D31). */
@NullMarked
package dev.harmovela.dimension.exchange;

import org.jspecify.annotations.NullMarked;
