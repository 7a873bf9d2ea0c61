/** What stores, disks, transports and authenticators implement for the hub. */
@NullMarked
package dev.harmovela.spi;

import org.jspecify.annotations.NullMarked;
