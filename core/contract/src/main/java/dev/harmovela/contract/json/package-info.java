/** A strict JSON reader and writer over bytes that loses nothing. */
@NullMarked
package dev.harmovela.contract.json;

import org.jspecify.annotations.NullMarked;
