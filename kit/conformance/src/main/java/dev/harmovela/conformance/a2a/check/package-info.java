/** What A2A 1.0 asks of an endpoint, as checks bound to rows: tables of checks, and what they stand on. */
@NullMarked
package dev.harmovela.conformance.a2a.check;

import org.jspecify.annotations.NullMarked;
