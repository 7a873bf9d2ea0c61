/** Links to Kafka (§13, D36–D38). */
@NullMarked
package dev.harmovela.transport.kafka;

import org.jspecify.annotations.NullMarked;
