package dev.harmovela.harness.delivery;

import dev.harmovela.contract.Event;
import dev.harmovela.harness.frame.Ring;
import dev.harmovela.harness.routing.Route;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What one feed has found in the log and not handed out yet, and how far it has looked. Bounded by one read. */
final class Lookahead {

    private static final int READ_AT_ONCE = 1024;

    private final Route route;
    private final Deliveries host;
    private final ArrayDeque<Deliveries.Read> found = new ArrayDeque<>();
    private boolean reading;
    private long lsn;
    private int generation;

    Lookahead(Route route, Deliveries host) {
        this.route = route;
        this.host = host;
    }

    /** Begins anew behind a position; what is being read for the time before comes too late. */
    void restart(long behind) {
        found.clear();
        generation++;
        reading = false;
        lsn = behind;
    }

    /** Number of the current reading. */
    int generation() {
        return generation;
    }

    /** Everything up to here was looked at. */
    long lsn() {
        return lsn;
    }

    /** Goes on behind a position that lies ahead. */
    void skipTo(long behind) {
        lsn = behind;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    Deliveries.@Nullable Read poll() {
        return found.poll();
    }

    /** Whether something at or before {@code until} has not been handed out yet. */
    boolean isBefore(long until) {
        Deliveries.Read next = found.peek();
        return (next == null ? lsn : next.lsn() - 1) < until;
    }

    /** Looks at the next position in memory; it must be there. */
    void scan(Ring ring) {
        lsn++;
        Event event = ring.at(lsn);
        if (event != null && route.subscription().tenant().equals(ring.tenantAt(lsn)) && route.takes(event)) {
            found.add(new Deliveries.Read(lsn, event));
        }
    }

    /** Reads on in the log, off the owner; {@code done} hears whether that led anywhere. */
    void read(Consumer<Boolean> done) {
        if (reading) {
            return;
        }
        reading = true;
        int asked = generation;
        host.read(route, lsn, READ_AT_ONCE, chunk -> {
            if (asked == generation) {
                reading = false;
                found.addAll(chunk.reads());
                boolean progress = chunk.scannedTo() > lsn;
                lsn = Math.max(lsn, chunk.scannedTo());
                done.accept(progress);
            }
        });
    }

    boolean isReading() {
        return reading;
    }
}
