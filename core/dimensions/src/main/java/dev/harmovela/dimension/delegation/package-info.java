/** Handing work over: who asked whom, who took it, and the proof that it changed hands (§9, §10, D29). */
@NullMarked
package dev.harmovela.dimension.delegation;

import org.jspecify.annotations.NullMarked;
