package dev.harmovela.transport.http;

import java.util.List;

/**
 * Where and how the hub's one HTTP port is served (§13, §15).
 *
 * @param host address to bind
 * @param port port to bind, 0 for any free one
 * @param origins browser origins, besides the hub's own on loopback, that may use the port; they are the ones that get
 *     CORS headers, so an empty list leaves CORS off
 * @param trustedHosts names, besides those of loopback, under which callers that need no credential may address a port
 *     bound to loopback; anything else is a page that rebound its own name
 * @param limits how much the port takes
 * @param times how long things may take
 */
public record HttpConfig(
        String host, int port, List<String> origins, List<String> trustedHosts, HttpLimits limits, HttpTimes times) {

    /** Loopback, port 8787 (§15), no foreign origins. */
    public static final HttpConfig DEFAULT =
            new HttpConfig("127.0.0.1", 8787, List.of(), List.of(), HttpLimits.DEFAULT, HttpTimes.DEFAULT);

    /** Copies the lists. */
    public HttpConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is a number from 0 to 65535");
        }
        origins = List.copyOf(origins);
        trustedHosts = List.copyOf(trustedHosts);
    }

    /** The same at another address. */
    public HttpConfig at(String otherHost, int otherPort) {
        return new HttpConfig(otherHost, otherPort, origins, trustedHosts, limits, times);
    }

    /** The same with other browser origins. */
    public HttpConfig withOrigins(List<String> otherOrigins) {
        return new HttpConfig(host, port, otherOrigins, trustedHosts, limits, times);
    }

    /** The same with other names of the machine. */
    public HttpConfig withTrustedHosts(List<String> otherHosts) {
        return new HttpConfig(host, port, origins, otherHosts, limits, times);
    }

    /** The same with other limits. */
    public HttpConfig withLimits(HttpLimits otherLimits) {
        return new HttpConfig(host, port, origins, trustedHosts, otherLimits, times);
    }

    /** The same with other times. */
    public HttpConfig withTimes(HttpTimes otherTimes) {
        return new HttpConfig(host, port, origins, trustedHosts, limits, otherTimes);
    }
}
