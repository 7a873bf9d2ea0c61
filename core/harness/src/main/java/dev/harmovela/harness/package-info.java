/** The hub without its input and output: checks, decides, applies and routes. */
@NullMarked
package dev.harmovela.harness;

import org.jspecify.annotations.NullMarked;
