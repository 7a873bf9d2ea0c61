/** Retries, dead letters, checkpoints and replay. */
@NullMarked
package dev.harmovela.dimension.recovery;

import org.jspecify.annotations.NullMarked;
