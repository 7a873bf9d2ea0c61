/** A deliberately simple A2A endpoint, right in every row, with switches for single faults. */
@NullMarked
package dev.harmovela.conformance.a2a.echo;

import org.jspecify.annotations.NullMarked;
