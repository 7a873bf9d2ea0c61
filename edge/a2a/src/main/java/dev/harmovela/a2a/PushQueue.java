package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one receiver still has to be told of one task, in order, tried again with growing pauses. Too much of it is
 * folded into the task as it stands. Safe from any thread.
 */
final class PushQueue {

    private static final int MOST_WAITING = 256;
    private static final int ATTEMPTS = 8;
    private static final long FIRST_PAUSE = 500;
    private static final long LONGEST_PAUSE = 30_000;

    private final Executor threads;
    private final HookPost post;
    private final Json.Obj hook;
    private final Deque<Note> waiting = new ArrayDeque<>();
    private boolean working;
    private boolean stopped;

    private record Note(String id, String body) {}

    PushQueue(Executor threads, HookPost post, Json.Obj hook) {
        this.threads = threads;
        this.post = post;
        this.hook = hook;
    }

    /**
     * Adds a notification.
     *
     * @param whole the task as it stands, for when too much waits
     * @return false when the receiver was given up
     */
    boolean add(String id, Json.Obj told, Supplier<Json.Obj> whole) {
        synchronized (waiting) {
            if (stopped) {
                return false;
            }
            if (waiting.size() >= MOST_WAITING) {
                waiting.clear();
                waiting.add(new Note(id, whole.get().toString()));
            } else {
                waiting.add(new Note(id, told.toString()));
            }
            if (!working) {
                working = true;
                threads.execute(this::work);
            }
            return true;
        }
    }

    void stop() {
        synchronized (waiting) {
            stopped = true;
            waiting.clear();
        }
    }

    private void work() {
        try {
            Note next = next();
            while (next != null) {
                if (!deliver(next)) {
                    stop();
                }
                next = next();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Note next() {
        synchronized (waiting) {
            Note next = waiting.poll();
            working = next != null;
            return next;
        }
    }

    private boolean deliver(Note note) throws InterruptedException {
        long pause = FIRST_PAUSE;
        for (int attempt = 1; attempt <= ATTEMPTS && !isStopped(); attempt++) {
            try {
                int status = post.send(hook, note.body(), note.id());
                if (status / 100 == 2) {
                    return true;
                }
            } catch (IOException notReached) {
                // tried again below
            }
            Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause));
            pause = Math.min(LONGEST_PAUSE, pause * 2);
        }
        return isStopped();
    }

    private boolean isStopped() {
        synchronized (waiting) {
            return stopped;
        }
    }
}
