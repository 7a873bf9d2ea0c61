package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Event;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One event for one subscription under its number, as it left the hub. */
final class Copy {

    final Subscribed subscription;
    final long seq;
    final String eventId;
    final long lsn;
    final Event event;
    /** Sessions it was ever sent to. */
    final Set<String> sessions = new HashSet<>();
    /** The wire it was sent to last. */
    @Nullable AgentWire holder;

    int attempt;
    int run;
    /** Settled for sure: a later heartbeat was answered. */
    boolean fenced;

    Copy(Subscribed subscription, long seq, long lsn, Event event) {
        this.subscription = subscription;
        this.seq = seq;
        this.lsn = lsn;
        this.event = event;
        this.eventId = event.id();
    }
}
