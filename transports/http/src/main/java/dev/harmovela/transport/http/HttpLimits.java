package dev.harmovela.transport.http;

/**
 * How much one port takes and holds.
 *
 * @param maxConnections open connections; those beyond it are answered 503
 * @param acceptsPerSecond connections taken per second on average; those beyond it are answered 503 with a
 *     {@code Retry-After} that varies
 * @param acceptBurst connections taken at once before the average counts
 * @param maxHeaderBytes bytes of all headers of a request, and of its first line
 * @param maxBodyBytes bytes of a request body; a single event is bounded by the hub's own limit
 * @param highWatermark outgoing bytes of one connection above which it takes no more deliveries
 * @param hardCap outgoing bytes of one connection that end it as a slow reader; counts the message about to be added
 */
public record HttpLimits(
        int maxConnections,
        int acceptsPerSecond,
        int acceptBurst,
        int maxHeaderBytes,
        int maxBodyBytes,
        int highWatermark,
        int hardCap) {

    /** What a hub on a small machine stands. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(20_000, 5_000, 10_000, 16 * 1024, 8 * 1024 * 1024, 256 * 1024, 4 * 1024 * 1024);

    /** Refuses values that leave no room to work. */
    public HttpLimits {
        if (maxConnections < 1 || acceptsPerSecond < 1 || acceptBurst < 1) {
            throw new IllegalArgumentException("at least one connection must be allowed");
        }
        if (maxHeaderBytes < 1024 || maxBodyBytes < 1024) {
            throw new IllegalArgumentException("headers and bodies need at least 1024 bytes");
        }
        if (highWatermark < 1024 || hardCap <= highWatermark) {
            throw new IllegalArgumentException("the hard cap must exceed the high watermark of at least 1024 bytes");
        }
    }
}
