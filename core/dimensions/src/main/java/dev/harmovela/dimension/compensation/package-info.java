/** What undoes completed work, and when it does (§9). */
@NullMarked
package dev.harmovela.dimension.compensation;

import org.jspecify.annotations.NullMarked;
