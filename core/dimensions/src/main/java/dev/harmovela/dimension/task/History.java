package dev.harmovela.dimension.task;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What happened to a task: the first event and the latest ones, at most {@link #KEPT}. A run of equal progress-
 * like events is one
 * entry, the last of the run.
 */
final class History {

    static final int KEPT = 24;

    private byte[] events = new byte[4];
    private long[] times = new long[4];
    private long[] positions = new long[4];
    private int size;
    private int dropped;

    void add(TaskEvent event, long at, long lsn) {
        if (size > 0 && events[size - 1] == event.ordinal() && repeats(event)) {
            times[size - 1] = at;
            positions[size - 1] = lsn;
            return;
        }
        if (size == KEPT) {
            forgetSecond();
        }
        if (size == events.length) {
            int room = Math.min(KEPT, size * 2);
            events = Arrays.copyOf(events, room);
            times = Arrays.copyOf(times, room);
            positions = Arrays.copyOf(positions, room);
        }
        events[size] = (byte) event.ordinal();
        times[size] = at;
        positions[size] = lsn;
        size++;
    }

    private static boolean repeats(TaskEvent event) {
        return switch (event) {
            case PROGRESS, OUTPUT, ESCALATED, CANCEL_REQUESTED -> true;
            case SUBMITTED, ACCEPTED, STARTED, BLOCKED, RESUMED, COMPLETED, FAILED, CANCELLED, TIMED_OUT -> false;
        };
    }

    private void forgetSecond() {
        System.arraycopy(events, 2, events, 1, size - 2);
        System.arraycopy(times, 2, times, 1, size - 2);
        System.arraycopy(positions, 2, positions, 1, size - 2);
        size--;
        dropped++;
    }

    /** Entries left out between the first and the second. */
    int dropped() {
        return dropped;
    }

    Json.Arr toJson() {
        List<Json> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            entries.add(Json.Obj.builder()
                    .put("event", Stored.constant(TaskEvent.class, events[i]).type())
                    .put("at", Timestamps.format(times[i]))
                    .put("lsn", positions[i])
                    .build());
        }
        return new Json.Arr(entries);
    }

    void write(Out out) {
        out.varint(dropped).u8(size);
        for (int i = 0; i < size; i++) {
            out.u8(events[i]).varint(times[i]).varint(positions[i]);
        }
    }

    static History read(In in) {
        History history = new History();
        history.dropped = in.count();
        history.size = in.u8();
        int room = Math.max(4, history.size);
        history.events = new byte[room];
        history.times = new long[room];
        history.positions = new long[room];
        for (int i = 0; i < history.size; i++) {
            history.events[i] = (byte) Stored.constant(TaskEvent.class, in.u8()).ordinal();
            history.times[i] = in.varint();
            history.positions[i] = in.varint();
        }
        return history;
    }
}
