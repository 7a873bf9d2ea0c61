/**
 * What every link between the hub and a broker does in the same way (§13, D36–D38): who may speak, what is settled
 * when,
 * what survives an outage. A module for one broker brings only a {@link dev.harmovela.transport.link.Driver}.
 */
@NullMarked
package dev.harmovela.transport.link;

import org.jspecify.annotations.NullMarked;
