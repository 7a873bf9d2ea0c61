/** Certificates and keys in PEM files, read with what the platform has. */
@NullMarked
package dev.harmovela.client.tls;

import org.jspecify.annotations.NullMarked;
