package dev.harmovela.harness.delivery;

/** Whether a feed is still reading history it was asked for, and how much it read. */
final class Replay {

    private final long fromLsn;
    private boolean done;
    private long events;

    /** @param fromLsn position behind which history was asked for, -1 for none */
    Replay(long fromLsn) {
        this.fromLsn = fromLsn;
        this.done = fromLsn < 0;
    }

    long fromLsn() {
        return fromLsn;
    }

    long events() {
        return events;
    }

    void count() {
        if (!done) {
            events++;
        }
    }

    /** Marks the seam between history and live; true the first time when there was a replay. */
    boolean finish() {
        boolean was = !done;
        done = true;
        return was;
    }
}
