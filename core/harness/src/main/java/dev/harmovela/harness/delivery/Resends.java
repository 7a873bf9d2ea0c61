package dev.harmovela.harness.delivery;

import dev.harmovela.contract.Event;
import dev.harmovela.harness.frame.Ring;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries that go out again before anything new, lowest sequence first; bodies are fetched when their turn
 * comes.
 */
final class Resends {

    private final TreeMap<Long, Long> lsnBySeq = new TreeMap<>();
    private long fetchingLsn;
    private long fetchedLsn;
    private @Nullable Event fetched;

    boolean isEmpty() {
        return lsnBySeq.isEmpty();
    }

    void add(long seq, long lsn) {
        lsnBySeq.put(seq, lsn);
    }

    boolean holds(long seq) {
        return lsnBySeq.containsKey(seq);
    }

    long firstSeq() {
        return lsnBySeq.isEmpty() ? Long.MAX_VALUE : lsnBySeq.firstKey();
    }

    long firstLsn() {
        return lsnBySeq.isEmpty() ? Long.MAX_VALUE : lsnBySeq.firstEntry().getValue();
    }

    /** Takes one out; returns its position, 0 when it is not among them. */
    long remove(long seq) {
        Long lsn = lsnBySeq.remove(seq);
        return lsn == null ? 0 : lsn;
    }

    /** Removes those up to a sequence. */
    void removeUpTo(long seq) {
        lsnBySeq.headMap(seq, true).clear();
    }

    /** Removes the first one; returns its position. */
    long removeFirst() {
        fetched = null;
        return lsnBySeq.pollFirstEntry().getValue();
    }

    /** The first one's event when it is at hand. */
    @Nullable Event eventOfFirst(Ring ring) {
        long lsn = firstLsn();
        return ring.holds(lsn) ? ring.at(lsn) : fetchedLsn == lsn ? fetched : null;
    }

    boolean fetching() {
        return fetchingLsn != 0;
    }

    /** Marks the first one as being fetched; returns its position. */
    long fetchFirst() {
        fetchingLsn = firstLsn();
        return fetchingLsn;
    }

    /** Takes what was fetched; drops the one whose event is gone and returns its sequence, else 0. */
    long fetched(long lsn, @Nullable Event event) {
        fetchingLsn = 0;
        if (event == null && firstLsn() == lsn) {
            return lsnBySeq.pollFirstEntry().getKey();
        }
        fetchedLsn = lsn;
        fetched = event;
        return 0;
    }

    void clear() {
        lsnBySeq.clear();
        fetchingLsn = 0;
        fetchedLsn = 0;
        fetched = null;
    }
}
