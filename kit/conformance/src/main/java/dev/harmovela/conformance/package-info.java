/** Judges an endpoint by what it says on the wire. */
@NullMarked
package dev.harmovela.conformance;

import org.jspecify.annotations.NullMarked;
