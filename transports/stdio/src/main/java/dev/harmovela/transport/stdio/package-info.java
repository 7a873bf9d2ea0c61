/** Carries frames over standard input and output. */
@NullMarked
package dev.harmovela.transport.stdio;

import org.jspecify.annotations.NullMarked;
