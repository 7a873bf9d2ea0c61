/** The segmented log on a disk. */
@NullMarked
package dev.harmovela.store.journal;

import org.jspecify.annotations.NullMarked;
