package dev.harmovela.transport.http;

/**
 * How long things may take, all in milliseconds.
 *
 * @param requestMillis from the first sign of a request to its last byte
 * @param keepAliveMillis an idle connection between two requests
 * @param openMillis a WebSocket without an open session
 * @param stallMillis a reader that takes no byte while some wait for it; then it is cut off as a slow reader
 * @param closeGraceMillis from our close frame or last answer to the hard end of the connection
 * @param streamHeartbeatMillis between two comments on a server-sent event stream, 15 000 at the most
 * @param longPollMillis the longest a long poll may wait
 */
public record HttpTimes(
        long requestMillis,
        long keepAliveMillis,
        long openMillis,
        long stallMillis,
        long closeGraceMillis,
        long streamHeartbeatMillis,
        long longPollMillis) {

    /** Comments on streams come at least this often, so that no proxy takes them for dead. */
    public static final long LONGEST_HEARTBEAT = 15_000;

    /** The times of a hub that nobody has tuned. */
    public static final HttpTimes DEFAULT = new HttpTimes(15_000, 60_000, 30_000, 30_000, 5_000, 10_000, 60_000);

    /** Refuses times that would never pass or that would let streams look dead. */
    public HttpTimes {
        if (requestMillis < 1 || keepAliveMillis < 1 || openMillis < 1 || stallMillis < 1 || closeGraceMillis < 1) {
            throw new IllegalArgumentException("times are positive");
        }
        if (streamHeartbeatMillis < 1 || streamHeartbeatMillis > LONGEST_HEARTBEAT) {
            throw new IllegalArgumentException("a stream heartbeat comes every 1 to " + LONGEST_HEARTBEAT + " ms");
        }
        if (longPollMillis < 0) {
            throw new IllegalArgumentException("a long poll waits 0 ms or more");
        }
    }
}
