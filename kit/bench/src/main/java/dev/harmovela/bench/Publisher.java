package dev.harmovela.bench;

/** Publishes numbered events and counts what the server says it has. */
interface Publisher {

    /** Whether the connection is ready to publish. */
    boolean ready();

    /** Queues the event of number {@code n}; numbers rise by one from 1. */
    void publish(long n);

    /** How many the server has acknowledged, in order. */
    long acknowledged();
}
