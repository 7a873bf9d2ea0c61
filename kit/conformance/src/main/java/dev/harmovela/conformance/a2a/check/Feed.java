package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.EventStream;
import dev.harmovela.conformance.a2a.wire.EventStream.Kind;
import dev.harmovela.contract.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stream of an operation, or its refusal. One thread. */
final class Feed implements AutoCloseable {

    private static final int MOST_EVENTS = 20_000;

    final Answer head;
    private final @Nullable EventStream events;
    private final @Nullable Caller caller;
    private final @Nullable Reply refused;
    private Kind end = Kind.SILENCE;

    Feed(Answer head, EventStream events, Caller caller) {
        this.head = head;
        this.events = events;
        this.caller = caller;
        refused = null;
    }

    private Feed(Reply refused) {
        head = refused.answer();
        events = null;
        caller = null;
        this.refused = refused;
    }

    static Feed refused(Reply reply) {
        return new Feed(reply);
    }

    /** The refusal; null when there is a stream. */
    @Nullable Reply refused() {
        return refused;
    }

    /** The next {@code StreamResponse}; null at the end, when the connection broke, and when nothing came in time. */
    Json.@Nullable Obj next(Duration patience) {
        if (events == null || caller == null) {
            return null;
        }
        EventStream.Step step = events.next(patience);
        end = step.kind();
        if (step.kind() != Kind.DATA) {
            return null;
        }
        Json.Obj event = caller.event(step.data()).object();
        return event == null ? Json.Obj.of().with("unreadable", Json.of(step.data())) : event;
    }

    /** All events up to the end of the stream, or until nothing came for so long in all. */
    List<Json.Obj> rest(Duration patience) {
        List<Json.Obj> all = new ArrayList<>();
        long deadline = System.nanoTime() + patience.toNanos();
        while (all.size() < MOST_EVENTS) {
            Json.Obj event = next(Duration.ofNanos(deadline - System.nanoTime()));
            if (event == null) {
                break;
            }
            all.add(event);
        }
        return all;
    }

    /** Whether the peer has closed the stream in good order. */
    boolean ended() {
        return end == Kind.END;
    }

    @Override
    public void close() {
        if (events != null) {
            events.close();
        }
    }

    /** The id of the task that an event is about, or null. */
    static @Nullable String taskId(Json.Obj event) {
        for (Map.Entry<String, String> each : Map.of("task", "id", "statusUpdate", "taskId", "artifactUpdate", "taskId")
                .entrySet()) {
            Json.Obj member = event.object(each.getKey());
            if (member != null) {
                return member.string(each.getValue());
            }
        }
        return null;
    }

    /** The state that an event tells, or null. */
    static @Nullable String state(Json.Obj event) {
        for (String name : List.of("task", "statusUpdate")) {
            Json.Obj member = event.object(name);
            Json.Obj status = member == null ? null : member.object("status");
            if (status != null) {
                return status.string("state");
            }
        }
        return null;
    }
}
