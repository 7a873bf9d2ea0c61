package dev.harmovela.store.journal;

import dev.harmovela.spi.JournalListener;
import java.util.concurrent.Executor;

/** Whether publishes are taken, and who is told when that changes. Thread-safe. */
final class Space {

    private final Executor background;
    private final JournalListener listener;
    private final BatchQueue queue;
    private final long backlogBytes;
    private boolean full;
    private boolean behind;
    private volatile boolean accepts = true;

    Space(Executor background, JournalListener listener, BatchQueue queue, long backlogBytes) {
        this.background = background;
        this.listener = listener;
        this.queue = queue;
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

    /**
     * Looks at what waits for the disk: too much refuses publishes until half of it is written. The writer looks after
     * each batch; the owner, which only adds, needs to look beyond the limit only.
     */
    synchronized void measure() {
        behind = queue.unwritten() > (behind ? backlogBytes / 2 : backlogBytes);
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
