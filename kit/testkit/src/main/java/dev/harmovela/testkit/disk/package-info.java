/**
 * A simulated disk that forgets what was not forced, and inline threads, so that crashes can be replayed from a seed.
 */
@NullMarked
package dev.harmovela.testkit.disk;

import org.jspecify.annotations.NullMarked;
