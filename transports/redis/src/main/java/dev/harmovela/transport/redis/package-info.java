/** Links to Redis Streams (§13, D36–D38). */
@NullMarked
package dev.harmovela.transport.redis;

import org.jspecify.annotations.NullMarked;
