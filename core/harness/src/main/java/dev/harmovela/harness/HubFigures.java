package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import java.util.Map;

/**
 * The figures of a hub at one moment, as plain numbers for whoever shows them. None speaks of a tenant, a client or
 * an event.
 *
 * @param published events stored since the log began
 * @param bestEffort events that were passed on without being stored, since this run began
 * @param deliveries what became of deliveries (D33)
 * @param latency from stored to acknowledged, since this run began
 * @param refusals inputs refused since this run began, one entry for every code
 * @param gaps how often a subscription lost what it had not read, by reason, since this run began
 * @param lagged how often a subscription passed a bound of its own, by what was done, since this run began
 * @param sessionTimeouts sessions whose peer fell silent, since this run began
 * @param population what is alive
 * @param log the log
 */
public record HubFigures(
        long published,
        long bestEffort,
        Deliveries deliveries,
        Times latency,
        Map<ErrorCode, Long> refusals,
        Map<String, Long> gaps,
        Map<String, Long> lagged,
        long sessionTimeouts,
        Population population,
        Log log) {

    /** Counts of deliveries; best effort is not among them. */
    public record Deliveries(
            long pending,
            long inFlight,
            long acknowledged,
            long deadLettered,
            long expired,
            long discarded,
            long redelivered) {}

    /**
     * A distribution of times in milliseconds.
     *
     * @param count times measured; the others are 0 without any
     * @param sumSeconds all of them together, in seconds
     */
    public record Times(long count, double sumSeconds, double p50, double p90, double p99, double p999, double max) {
        static final Times NONE = new Times(0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * What is alive.
     *
     * @param sessions by whether a connection is attached
     * @param subscriptions by what they do
     * @param connections by transport
     * @param letters dead letters
     * @param spaces conformance sessions (D24)
     */
    public record Population(
            Map<Boolean, Long> sessions,
            Map<Reading, Long> subscriptions,
            Map<String, Long> connections,
            long letters,
            long spaces) {}

    /** What a subscription does. */
    public enum Reading {
        /** Events go out as they come. */
        LIVE,
        /** It works through what it missed. */
        BEHIND,
        /** Its window is full. */
        STALLED,
        /** It fell so far behind that nothing goes out until its consumer attaches again. */
        PARKED,
        /** Nobody takes what it brings. */
        DETACHED
    }

    /**
     * The log.
     *
     * @param bytes held on disk
     * @param lastLsn position of the last record
     * @param durableLsn position that no crash can take back
     * @param firstLsn oldest position held
     * @param waitingOutputs answers and copies that wait for the disk
     * @param forces from the end of a batch until it is durable
     */
    public record Log(long bytes, long lastLsn, long durableLsn, long firstLsn, long waitingOutputs, Times forces) {}
}
