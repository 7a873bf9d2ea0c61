/** Interrupting a task, keeping where it was, and going on from there (§9). */
@NullMarked
package dev.harmovela.dimension.interruption;

import org.jspecify.annotations.NullMarked;
