package dev.harmovela.a2a;

import org.jspecify.annotations.Nullable;

/** Waits for a task to come to rest. On the hub's executor only. */
final class Waiting implements TaskLog.Watcher {

    private final TaskLog log;
    private final long since;
    private final boolean untilEnd;
    private final Runnable rested;
    private boolean over;

    private Waiting(TaskLog log, long since, boolean untilEnd, Runnable rested) {
        this.log = log;
        this.since = since;
        this.untilEnd = untilEnd;
        this.rested = rested;
    }

    /** Runs {@code rested} once the task rests because of something behind entry {@code since}. */
    static Waiting until(TaskLog log, long since, Runnable rested) {
        Waiting waiting = new Waiting(log, since, false, rested);
        waiting.begin();
        return waiting;
    }

    /** Runs {@code ended} once the task has ended, or after {@code millis} milliseconds. */
    static void untilEnded(TaskLog log, Loop loop, long millis, Runnable ended) {
        Waiting waiting = new Waiting(log, 0, true, ended);
        waiting.begin();
        if (!waiting.over) {
            loop.after(millis, waiting::finish);
        }
    }

    private void begin() {
        log.watch(this);
        look();
    }

    @Override
    public void changed(TaskLog changed, long number, TaskLog.@Nullable Entry entry) {
        look();
    }

    private void look() {
        boolean ended = log.now().isTerminal() || log.direct() != null;
        boolean rests = !untilEnd && log.now().rests() && log.restedAt() > since;
        if (ended || rests) {
            finish();
        }
    }

    /** Nobody wants to know any more. */
    void giveUp() {
        over = true;
        log.unwatch(this);
    }

    private void finish() {
        if (!over) {
            over = true;
            log.unwatch(this);
            rested.run();
        }
    }
}
