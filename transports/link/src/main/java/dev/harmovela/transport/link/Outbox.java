package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written to a broker: filled on the hub's executor, emptied by the link's writing thread.
 * Bounded: when it is
 * full the hub holds deliveries back, so that an outage costs positions in its log and no memory.
 */
final class Outbox {

    private static final int HIGH_COUNT = 512;
    private static final int HIGH_BYTES = 2 << 20;
    private static final int CAP_BYTES = 8 << 20;

    /**
     * One message.
     *
     * @param wire who sent it and is told what became of it
     * @param type its event type
     * @param resumes part of its dedupe id
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Item(
            Sender wire,
            String type,
            byte[] body,
            String resumes,
            @Nullable String replyTo) {}

    /** Whose messages they are; called on the hub's executor. */
    interface Sender {
        /** Name and headers of a message; on the writing thread. */
        Outbound address(Item item, Json.Obj event);

        /** The broker has them. */
        void confirmed(List<Json.Obj> events);

        /** The broker will never take it. */
        void refused(Json.Obj event, WriteRefused why);

        /** There is room again. */
        void roomAgain();
    }

    private final ArrayDeque<Item> queue = new ArrayDeque<>();
    private int bytes;
    private boolean starved;
    private boolean held = true;

    /** Whether deliveries may come; false while the broker is away. */
    synchronized boolean hasRoom() {
        boolean room = !held && queue.size() < HIGH_COUNT && bytes < HIGH_BYTES;
        starved |= !room;
        return room;
    }

    /**
     * Adds a message.
     *
     * @return false when even answers find no room: the wire has to end, its session stays
     */
    synchronized boolean add(Item item) {
        if (bytes + item.body().length > CAP_BYTES) {
            return false;
        }
        queue.add(item);
        bytes += item.body().length;
        notifyAll();
        return true;
    }

    /** The oldest messages, at most {@code most}, which stay in it; waits for the first. */
    synchronized List<Item> peek(int most, long waitMillis) throws InterruptedException {
        long end = System.nanoTime() + waitMillis * 1_000_000;
        for (long left = waitMillis; queue.isEmpty() && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        List<Item> some = new ArrayList<>();
        for (Item item : queue) {
            if (some.size() == most) {
                break;
            }
            some.add(item);
        }
        return some;
    }

    /**
     * The oldest messages are done.
     *
     * @return whether somebody waits for room that is there now
     */
    synchronized boolean done(int count) {
        for (int i = 0; i < count; i++) {
            bytes -= queue.remove().body().length;
        }
        return freed();
    }

    /** Whether somebody waits for room that is there now. */
    private boolean freed() {
        boolean freed = starved && !held && queue.size() <= HIGH_COUNT / 2 && bytes <= HIGH_BYTES / 2;
        starved &= !freed;
        return freed;
    }

    /** Holds deliveries back, or lets them come. */
    synchronized boolean hold(boolean on) {
        held = on;
        return freed();
    }

    synchronized int size() {
        return queue.size();
    }
}
