package dev.harmovela.harness.frame;

import dev.harmovela.contract.Event;
import org.jspecify.annotations.Nullable;

/**
 * The newest events by log position, bounded by bytes: most readers live here and never touch the disk.
 *
 * <p>Positions without an event (frames of facts only) hold nothing. What is not durable yet is never dropped, since it
 * cannot be read back. One owner, not thread-safe.
 */
public final class Ring {

    private final long maxBytes;
    private @Nullable Event[] slots = new Event[1024];
    private @Nullable String[] tenants = new String[1024];
    private long first = 1;
    private long next = 1;
    private long bytes;

    public Ring(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Empties the ring; the next position added is {@code nextLsn}. */
    public void restart(long nextLsn) {
        slots = new Event[1024];
        tenants = new String[1024];
        first = nextLsn;
        next = nextLsn;
        bytes = 0;
    }

    /** Oldest position held. */
    public long first() {
        return first;
    }

    /** Newest position held, {@code first() - 1} when empty. */
    public long last() {
        return next - 1;
    }

    /** Adds the next position. */
    public void add(@Nullable Event event, String tenant) {
        if (next - first == slots.length) {
            grow();
        }
        slots[slot(next)] = event;
        tenants[slot(next)] = tenant;
        next++;
        bytes += event == null ? 0 : event.bytes().length;
    }

    /** Drops the oldest positions while over the bound and not behind {@code durableLsn}. */
    public void trim(long durableLsn) {
        while (bytes > maxBytes && first < next && first <= durableLsn) {
            Event gone = slots[slot(first)];
            slots[slot(first)] = null;
            bytes -= gone == null ? 0 : gone.bytes().length;
            first++;
        }
    }

    public boolean holds(long lsn) {
        return lsn >= first && lsn < next;
    }

    /** The event at a position that is held; null when that position has none. */
    public @Nullable Event at(long lsn) {
        return slots[slot(lsn)];
    }

    /** Tenant of the frame at a position that is held. */
    public @Nullable String tenantAt(long lsn) {
        return tenants[slot(lsn)];
    }

    private int slot(long lsn) {
        return (int) (lsn & slots.length - 1);
    }

    private void grow() {
        @Nullable Event[] bigger = new Event[slots.length * 2];
        @Nullable String[] biggerTenants = new String[bigger.length];
        for (long lsn = first; lsn < next; lsn++) {
            int to = (int) (lsn & bigger.length - 1);
            bigger[to] = slots[slot(lsn)];
            biggerTenants[to] = tenants[slot(lsn)];
        }
        slots = bigger;
        tenants = biggerTenants;
    }
}
