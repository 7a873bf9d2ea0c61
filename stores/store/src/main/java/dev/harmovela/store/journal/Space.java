package dev.harmovela.store.journal;

import dev.harmovela.spi.JournalListener;
import java.util.concurrent.Executor;

/** Whether publishes are taken, and who is told when that changes. Thread-safe. */
final class Space {

    private final Executor background;
    private final JournalListener listener;
    private final long backlogBytes;
    private boolean full;
    private boolean behind;
    private volatile boolean accepts = true;

    Space(Executor background, JournalListener listener, long backlogBytes) {
        this.background = background;
        this.listener = listener;
        this.backlogBytes = backlogBytes;
    }

    boolean accepts() {
        return accepts;
    }

    /** The next segment could not, or could again, be allocated. */
    synchronized void full(boolean now) {
        full = now;
        update();
    }

    /** So many bytes wait for the disk: too many refuse publishes until half of them are written. */
    void backlog(long bytes) {
        if (bytes > backlogBytes || behind) {
            waiting(bytes);
        }
    }

    private synchronized void waiting(long bytes) {
        behind = bytes > (behind ? backlogBytes / 2 : backlogBytes);
        update();
    }

    private void update() {
        boolean now = !full && !behind;
        if (now != accepts) {
            accepts = now;
            background.execute(() -> listener.spaceChanged(now));
        }
    }
}
