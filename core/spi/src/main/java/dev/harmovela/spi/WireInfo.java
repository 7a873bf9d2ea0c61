package dev.harmovela.spi;

import java.util.Set;

/**
 * What a transport knows of a wire when it opens.
 *
 * @param transport short name of the transport profile ({@code websocket}, {@code sse}, {@code stdio}, {@code
 *     http}, {@code inproc})
 * @param caller who is behind it
 * @param kind what the wire is for
 */
public record WireInfo(String transport, Caller caller, Kind kind) {

    private static final Set<String> BROKERS = Set.of("nats", "kafka", "redis-streams");

    /**
     * Whether sessions are named by who opens them, and belong to the transport they were opened on: a peer on a
     * broker
     * has no connection that would tell it apart (D37).
     */
    public boolean namesSessions() {
        return BROKERS.contains(transport);
    }

    /** What a wire is for. */
    public enum Kind {
        /** Full duplex: opens sessions and gets their deliveries. */
        DUPLEX,
        /** Input and its direct answers only: an HTTP request. */
        REQUEST
    }
}
