/** Certificates and keys in PEM files, read with what the platform has. */
@NullMarked
package dev.harmovela.contract.tls;

import org.jspecify.annotations.NullMarked;
