package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One reader of a task's log: the task first, then what follows. On the hub's executor only. */
final class Reading implements TaskLog.Watcher {

    /** How long a stream waits for the agent's first sign before it shows the task, in milliseconds. */
    private static final long FIRST_SIGN = 250;

    private final TaskLog log;
    private final Call.Stream stream;
    private final boolean ofSending;
    private boolean begun;
    private boolean over;
    private long shown;

    private Reading(TaskLog log, long shown, boolean ofSending, Call.Stream stream) {
        this.log = log;
        this.shown = shown;
        this.ofSending = ofSending;
        this.stream = stream;
    }

    /**
     * The stream of a message that was just sent. Its first event waits for the first sign of the agent, which may be a
     * direct answer.
     */
    static void ofSending(TaskLog log, long since, @Nullable Integer keep, Call.Stream stream, Loop loop) {
        Reading reading = new Reading(log, since, true, stream);
        stream.begin(reading::left);
        log.watch(reading);
        if (log.direct() != null) {
            reading.changed(log, log.last(), null);
            return;
        }
        if (since > 0 || log.started()) {
            reading.snapshot(keep);
            reading.endIfOver();
        } else {
            loop.after(FIRST_SIGN, () -> reading.impatient(keep));
        }
    }

    private void impatient(@Nullable Integer keep) {
        if (!begun && !over) {
            log.show();
            snapshot(keep);
        }
    }

    /**
     * The stream of a task that exists.
     *
     * @param from number of the last event that the reader saw, or null for the task as it is now
     */
    static void ofTask(TaskLog log, @Nullable Long from, Call.Stream stream) {
        TaskState then = from == null ? null : log.asOf(from);
        Reading reading = new Reading(log, then == null || from == null ? log.last() : from, false, stream);
        stream.begin(reading::left);
        log.watch(reading);
        reading.begun = true;
        TaskState first = then == null ? log.now() : then;
        stream.event(reading.shown, Json.Obj.of().with("task", first.json(null, true)));
        if (from != null && then == null) {
            stream.gap();
        } else if (from != null) {
            reading.catchUp(from);
        }
        reading.endIfOver();
    }

    private void catchUp(long from) {
        long number = from;
        for (TaskLog.Entry entry : List.copyOf(log.after(from))) {
            number++;
            show(number, entry);
        }
    }

    private void snapshot(@Nullable Integer keep) {
        begun = true;
        shown = log.last();
        stream.event(shown, Json.Obj.of().with("task", log.now().json(keep, true)));
    }

    private void show(long number, TaskLog.Entry entry) {
        shown = number;
        Json.Obj told = entry.told(log);
        if (told != null && !over) {
            stream.event(number, told);
        }
    }

    @Override
    public void changed(TaskLog changed, long number, TaskLog.@Nullable Entry entry) {
        if (over) {
            return;
        }
        if (entry == null) {
            Json.Obj direct = log.direct();
            if (!begun && direct != null) {
                stream.event(number, Json.Obj.of().with("message", direct));
            }
            end();
            return;
        }
        if (!begun) {
            beginBefore(number);
        }
        show(number, entry);
        endIfOver();
    }

    /** The agent took it up: the task as it was just before comes first. */
    private void beginBefore(long number) {
        begun = true;
        TaskState before = log.asOf(number - 1);
        TaskState first = before == null ? log.now() : before;
        stream.event(number - 1, Json.Obj.of().with("task", first.json(null, true)));
    }

    private void endIfOver() {
        boolean asks =
                ofSending && log.now().state().equals(TaskState.INPUT_REQUIRED) && log.restedAt() == shown && begun;
        if (log.now().isTerminal() || asks) {
            end();
        }
    }

    private void end() {
        if (!over) {
            over = true;
            log.unwatch(this);
            stream.end();
        }
    }

    private void left() {
        over = true;
        log.unwatch(this);
    }
}
