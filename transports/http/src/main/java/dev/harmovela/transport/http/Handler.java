package dev.harmovela.transport.http;

/** Serves one route. Runs on the event loop, so it must not block; it may answer later. */
@FunctionalInterface
public interface Handler {

    /** Answers the exchange, now or later, exactly once. */
    void handle(Exchange exchange);
}
