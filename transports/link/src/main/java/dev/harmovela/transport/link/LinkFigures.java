package dev.harmovela.transport.link;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How one link is doing. Written by the link's threads, read by any. */
public final class LinkFigures {

    private static final long RATE_NANOS = 1_000_000_000L;

    /** Whether a link works. */
    public enum State {
        CONNECTING,
        UP,
        DOWN,
        STOPPED
    }

    final LongAdder read = new LongAdder();
    final LongAdder written = new LongAdder();
    final LongAdder skipped = new LongAdder();
    final LongAdder lettered = new LongAdder();
    final LongAdder lost = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder paused = new LongAdder();
    final LongAdder rebuilt = new LongAdder();
    private volatile State state = State.CONNECTING;
    private volatile @Nullable String lastError;
    private volatile long lastErrorAt;
    private volatile long lag = -1;
    private volatile int waiting;
    private volatile int peers;
    private volatile double readRate;
    private volatile double writeRate;
    private long ratedAt = System.nanoTime();
    private long ratedRead;
    private long ratedWritten;

    void state(State next) {
        state = next;
    }

    void failed(String why, long now) {
        lastError = why;
        lastErrorAt = now;
    }

    void lag(long messages) {
        lag = messages;
    }

    void waiting(int messages) {
        waiting = messages;
    }

    void peers(int count) {
        peers = count;
    }

    /** Takes the rate since the last call, at most once a second; one thread. */
    void rate() {
        long now = System.nanoTime();
        long nanos = now - ratedAt;
        if (nanos >= RATE_NANOS) {
            readRate = (read.sum() - ratedRead) * 1e9 / nanos;
            writeRate = (written.sum() - ratedWritten) * 1e9 / nanos;
            ratedRead = read.sum();
            ratedWritten = written.sum();
            ratedAt = now;
        }
    }

    /** Whether it works. */
    public State state() {
        return state;
    }

    /** Messages on the broker that were not read yet, -1 when not known. */
    public long lag() {
        return lag;
    }

    /** Messages that wait to be written. */
    public int waiting() {
        return waiting;
    }

    /** Messages read since the start. */
    public long readTotal() {
        return read.sum();
    }

    /** Messages that the broker confirmed since the start. */
    public long writtenTotal() {
        return written.sum();
    }

    /** Messages that became dead letters as they were. */
    public long letteredTotal() {
        return lettered.sum();
    }

    /** Entries whose bytes the broker had lost. */
    public long lostTotal() {
        return lost.sum();
    }

    /** How often the connection was built again. */
    public long rebuiltTotal() {
        return rebuilt.sum();
    }

    /** What went wrong last, or null. */
    public @Nullable String lastError() {
        return lastError;
    }

    /** Everything, as the HTTP interface shows it. */
    Json.Builder show() {
        String error = lastError;
        return Json.Obj.builder()
                .put("state", state.name().toLowerCase(java.util.Locale.ROOT))
                .put("lag", lag < 0 ? null : Json.of(lag))
                .put("waiting", waiting)
                .put("peers", peers)
                .put("read", read.sum())
                .put("written", written.sum())
                .put("read_per_second", Math.round(readRate * 10) / 10.0)
                .put("written_per_second", Math.round(writeRate * 10) / 10.0)
                .put("skipped", skipped.sum())
                .put("refused", refused.sum())
                .put("dead_lettered", lettered.sum())
                .put("lost", lost.sum())
                .put("paused", paused.sum())
                .put("rebuilt", rebuilt.sum())
                .put("last_error", error)
                .put("last_error_at", error == null ? null : Timestamps.format(lastErrorAt));
    }
}
