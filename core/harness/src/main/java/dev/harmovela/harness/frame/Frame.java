package dev.harmovela.harness.frame;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import java.util.List;

/**
 * One input as one transaction: what it was, the events it stored and the facts that follow from it.
 *
 * @param firstLsn position of the first event; the others follow without a hole
 * @param header who caused it and when
 * @param events complete events, hub-made ones included
 * @param facts in the order in which they were applied
 */
public record Frame(long firstLsn, Header header, List<Event> events, List<Fact> facts) {

    /**
     * Where a frame came from.
     *
     * @param now epoch milliseconds that the core saw
     * @param principal identity behind the input, {@code harness:harmovela} for the hub itself
     * @param authority what the decision rested on
     * @param cause id of the event or name of the deadline that was the input
     * @param credential name of what proved the principal, empty for the hub itself
     */
    public record Header(
            long now,
            String tenant,
            String principal,
            String transport,
            String authority,
            String cause,
            String credential) {

        /** The origin of what the hub does by itself. */
        public static Header hub(long now, String tenant, String principal, String cause) {
            return new Header(now, tenant, principal, "", "hub", cause, "");
        }

        /** The same origin for a frame about {@code other} tenant. */
        public Header in(String other) {
            return new Header(now, other, principal, transport, authority, cause, credential);
        }
    }

    /** Positions this frame covers: one per event, at least one. */
    public int lsnCount() {
        return Math.max(1, events.size());
    }

    public long lastLsn() {
        return firstLsn + lsnCount() - 1;
    }
}
