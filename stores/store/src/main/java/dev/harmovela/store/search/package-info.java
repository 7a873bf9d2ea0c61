/** A searchable copy of what has ended, kept in SQLite. */
@NullMarked
package dev.harmovela.store.search;

import org.jspecify.annotations.NullMarked;
