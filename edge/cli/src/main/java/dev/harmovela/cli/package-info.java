/** The command line of the hub. */
@NullMarked
package dev.harmovela.cli;

import org.jspecify.annotations.NullMarked;
