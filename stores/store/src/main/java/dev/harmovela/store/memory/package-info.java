/** Stores that live as long as the process. */
@NullMarked
package dev.harmovela.store.memory;

import org.jspecify.annotations.NullMarked;
