/** The hub as a process: its configuration, its start and its stop. */
@NullMarked
package dev.harmovela.runtime;

import org.jspecify.annotations.NullMarked;
