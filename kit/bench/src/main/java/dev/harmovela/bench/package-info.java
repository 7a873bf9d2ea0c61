/** Measures throughput and latency of a hub. */
@NullMarked
package dev.harmovela.bench;

import org.jspecify.annotations.NullMarked;
