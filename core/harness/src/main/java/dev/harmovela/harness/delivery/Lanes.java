package dev.harmovela.harness.delivery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the events of one task in order for a subscription that asked for {@code ordering: "task"}: one of them is out
 * at a time, the later ones wait until it has ended, and those of other tasks go past.
 *
 * <p>What waits has its number already and costs a few words; how many may wait is for the feed to bound. Volatile: a
 * feed that reads again from its floor finds the same order. One owner, not thread-safe.
 */
final class Lanes {

    /** The events of one task that wait behind the one that is out. */
    private static final class Lane {
        final String task;
        final TreeMap<Long, Long> lsnBySeq = new TreeMap<>();

        Lane(String task) {
            this.task = task;
        }
    }

    private final boolean ordered;
    private final Map<String, Lane> byTask = new HashMap<>();
    private final Map<Long, Lane> byOut = new HashMap<>();
    private final TreeMap<Long, Lane> waiting = new TreeMap<>();

    /** @param ordered false for a subscription that did not ask for it: then everything goes at once */
    Lanes(boolean ordered) {
        this.ordered = ordered;
    }

    /** Whether this event may go now; if not it waits here for {@link #ended}. Called in order of the numbers. */
    boolean enter(@Nullable String task, long seq, long lsn) {
        if (!ordered || task == null) {
            return true;
        }
        Lane lane = byTask.get(task);
        if (lane == null) {
            lane = new Lane(task);
            byTask.put(task, lane);
            byOut.put(seq, lane);
            return true;
        }
        lane.lsnBySeq.put(seq, lsn);
        waiting.put(seq, lane);
        return false;
    }

    /** One has ended, waiting or out; returns the next of its task, which may go now, or null. */
    @Nullable Resend ended(long seq) {
        if (byTask.isEmpty()) {
            return null;
        }
        Lane behind = waiting.remove(seq);
        if (behind != null) {
            behind.lsnBySeq.remove(seq);
            return null;
        }
        Lane lane = byOut.remove(seq);
        if (lane == null) {
            return null;
        }
        Map.Entry<Long, Long> next = lane.lsnBySeq.pollFirstEntry();
        if (next == null) {
            byTask.remove(lane.task);
            return null;
        }
        waiting.remove(next.getKey());
        byOut.put(next.getKey(), lane);
        return new Resend(next.getKey(), next.getValue(), 1);
    }

    /** Those that wait or are out up to a sequence, waiting ones first, so that none of them is let go. */
    List<Long> upTo(long seq) {
        List<Long> found = new ArrayList<>(waiting.headMap(seq, true).keySet());
        byOut.keySet().stream().filter(out -> out <= seq).sorted().forEach(found::add);
        return found;
    }

    /** How many wait. */
    int waiting() {
        return waiting.size();
    }

    boolean isWaiting(long seq) {
        return !waiting.isEmpty() && waiting.containsKey(seq);
    }

    /** Position of one that waits, 0 when it does not. */
    long lsnOf(long seq) {
        Lane lane = waiting.get(seq);
        Long lsn = lane == null ? null : lane.lsnBySeq.get(seq);
        return lsn == null ? 0 : lsn;
    }

    long firstSeq() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.firstKey();
    }

    long firstLsn() {
        return waiting.isEmpty() ? Long.MAX_VALUE : lsnOf(waiting.firstKey());
    }

    void clear() {
        byTask.clear();
        byOut.clear();
        waiting.clear();
    }
}
