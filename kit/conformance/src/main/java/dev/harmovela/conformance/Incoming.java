package dev.harmovela.conformance;

/**
 * One line that a target sent.
 *
 * @param text the line without its end
 * @param channel where it came out
 */
public record Incoming(String text, Channel channel) {

    /** Where a line came out. */
    public enum Channel {
        /** The way events take. */
        EVENTS,
        /** Beside it: standard error of a process, where input that is not JSON is answered (D26). */
        DIAGNOSTICS
    }

    /** A line on the way that events take. */
    public static Incoming event(String text) {
        return new Incoming(text, Channel.EVENTS);
    }
}
