/** The envelope, its ids and registry, and the catalogue of errors. */
@NullMarked
package dev.harmovela.contract;

import org.jspecify.annotations.NullMarked;
