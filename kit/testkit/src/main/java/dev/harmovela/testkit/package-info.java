/** Fakes, simulation and contract tests shared by the tests of other modules. */
@NullMarked
package dev.harmovela.testkit;

import org.jspecify.annotations.NullMarked;
