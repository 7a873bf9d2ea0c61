package dev.harmovela.transport.link;

import dev.harmovela.spi.TransportGuarantees;

/** Knows one kind of broker. Thread-safe. */
public interface Driver {

    /** Which broker. */
    LinkKind kind();

    /** What its links promise. */
    TransportGuarantees guarantees();

    /**
     * Connects, finds or makes what the link needs, and claims its prefix. Blocks for seconds at the most.
     *
     * @throws LinkFailed when the broker is away, refuses the credentials or lacks what the link may not create
     */
    BrokerSession connect(LinkSettings settings, HubIdentity hub) throws LinkFailed, InterruptedException;
}
