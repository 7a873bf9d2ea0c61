/** A hub under full control: its clock, its journal and its wires belong to the test. */
@NullMarked
package dev.harmovela.testkit.hub;

import org.jspecify.annotations.NullMarked;
