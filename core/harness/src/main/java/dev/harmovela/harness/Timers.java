package dev.harmovela.harness;

import java.util.PriorityQueue;

/**
 * Deadlines by time. An entry only says when to look; whoever it calls checks its own state again, so a stale entry
 * does nothing. Ties run in the order in which they were added.
 */
final class Timers {

    private record Entry(long at, long order, Runnable look) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Entry> heap = new PriorityQueue<>();
    private long order;

    void at(long when, Runnable look) {
        heap.add(new Entry(when, order++, look));
    }

    /** Epoch milliseconds of the next deadline, {@link Long#MAX_VALUE} when there is none. */
    long next() {
        Entry first = heap.peek();
        return first == null ? Long.MAX_VALUE : first.at();
    }

    /**
     * Runs what is due; returns whether anything was. What is added for the same time while running waits for the
     * next call.
     */
    boolean runDue(long now) {
        long until = order;
        boolean any = false;
        for (Entry first = heap.peek();
                first != null && first.at() <= now && first.order() < until;
                first = heap.peek()) {
            heap.poll();
            first.look().run();
            any = true;
        }
        return any;
    }

    void clear() {
        heap.clear();
    }
}
