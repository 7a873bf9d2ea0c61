/** What all dimensions share: how they decide, what they tell each other and what they may look up. */
@NullMarked
package dev.harmovela.dimension;

import org.jspecify.annotations.NullMarked;
