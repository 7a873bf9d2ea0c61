/** What is known and how long it holds: state, freshness windows, beliefs and who attests to what (§9, §10). */
@NullMarked
package dev.harmovela.dimension.knowledge;

import org.jspecify.annotations.NullMarked;
