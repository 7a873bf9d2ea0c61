package dev.harmovela.harness;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.HubOffer;
import dev.harmovela.dimension.task.TaskPolicy;
import java.util.List;

/**
 * What the core is told about its bounds and its offer.
 *
 * @param registry event types it knows
 * @param limits of one event
 * @param offer what sessions can negotiate
 * @param retry retry policy where neither event nor subscription names one (§6)
 * @param tasks task policy (§5, D31)
 * @param bounds of everything that could grow
 */
public record HubConfig(
        EventRegistry registry, Limits limits, HubOffer offer, RetryPolicy retry, TaskPolicy tasks, Bounds bounds) {

    /**
     * Bounds of memory and of the log.
     *
     * @param ringBytes newest events kept in memory
     * @param duplicates events remembered against repeated publishing; not below {@code retention.events}, so that the
     *     window is as long as the history
     * @param windowBytes bytes in flight per subscription
     * @param maxInFlight default of {@code max_in_flight}
     * @param maxSessions live sessions of the hub
     * @param maxSessionsPerIdentity live sessions of one identity
     * @param maxSessionsPerWire sessions sharing one connection
     * @param maxSubscriptions subscriptions of the hub, inboxes included
     * @param maxSubscriptionsPerSession subscriptions of one session
     * @param maxConformanceSpaces conformance sessions at a time (D24)
     * @param resumeWindowMillis how long a session outlives its connection (D8)
     * @param readyTimeoutMillis how long a session may stay unconfirmed
     * @param lag when a subscription is cut back because it holds the log
     * @param retention how much history the log keeps
     * @param audit how much is kept of what left the log
     */
    public record Bounds(
            long ringBytes,
            int duplicates,
            long windowBytes,
            int maxInFlight,
            int maxSessions,
            int maxSessionsPerIdentity,
            int maxSessionsPerWire,
            int maxSubscriptions,
            int maxSubscriptionsPerSession,
            int maxConformanceSpaces,
            long resumeWindowMillis,
            long readyTimeoutMillis,
            Retention lag,
            Retention retention,
            Kept audit) {

        public static final Bounds DEFAULT = new Bounds(
                16L << 20,
                1 << 20,
                8L << 20,
                256,
                100_000,
                1_000,
                64,
                200_000,
                1_000,
                512,
                300_000,
                30_000,
                new Retention(1_000_000, 512L << 20, 7L * 24 * 3_600_000),
                new Retention(1_000_000, 8L << 30, 7L * 24 * 3_600_000),
                new Kept(1L << 30, 90L * 24 * 3_600_000));

        /** Small bounds for a space that lives as long as one conformance session. */
        Bounds forSpace() {
            return new Bounds(
                    1L << 20,
                    4096,
                    windowBytes,
                    maxInFlight,
                    1_000,
                    1_000,
                    1_000,
                    1_000,
                    1_000,
                    0,
                    10_000,
                    readyTimeoutMillis,
                    lag,
                    retention,
                    audit);
        }
    }

    /**
     * A bound on history.
     *
     * @param events most events
     * @param bytes most bytes
     * @param millis greatest age
     */
    public record Retention(long events, long bytes, long millis) {}

    /**
     * A bound on the audit of frames that left the log.
     *
     * @param bytes most bytes; 0 keeps nothing
     * @param millis greatest age
     */
    public record Kept(long bytes, long millis) {}

    /** A hub with every default, speaking {@code transports}. */
    public static HubConfig defaults(List<String> transports) {
        return new HubConfig(
                EventRegistry.standard(),
                Limits.DEFAULT,
                offer(transports, Limits.DEFAULT.maxPayloadBytes()),
                RetryPolicy.DEFAULT,
                TaskPolicy.DEFAULTS,
                Bounds.DEFAULT);
    }

    /** The offer of a hub that speaks core and delivery over {@code transports}. */
    public static HubOffer offer(List<String> transports, int maxPayloadBytes) {
        return Offers.of(transports, maxPayloadBytes, Json.Obj.of());
    }
}
