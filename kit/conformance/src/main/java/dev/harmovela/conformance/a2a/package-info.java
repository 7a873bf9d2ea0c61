/** The A2A kit: profiles, rows and cases, measured at a live endpoint, and the report that says what was seen. */
@NullMarked
package dev.harmovela.conformance.a2a;

import org.jspecify.annotations.NullMarked;
