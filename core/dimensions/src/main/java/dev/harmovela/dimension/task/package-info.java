/** Tasks: one owner each, and an end each. */
@NullMarked
package dev.harmovela.dimension.task;

import org.jspecify.annotations.NullMarked;
