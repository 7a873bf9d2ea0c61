package dev.harmovela.spi;

/**
 * What a transport knows of a wire when it opens.
 *
 * @param transport short name of the transport profile ({@code websocket}, {@code sse}, {@code stdio}, {@code
 *     http}, {@code inproc})
 * @param caller who is behind it
 * @param kind what the wire is for
 */
public record WireInfo(String transport, Caller caller, Kind kind) {

    /** What a wire is for. */
    public enum Kind {
        /** Full duplex: opens sessions and gets their deliveries. */
        DUPLEX,
        /** Input and its direct answers only: an HTTP request. */
        REQUEST
    }
}
