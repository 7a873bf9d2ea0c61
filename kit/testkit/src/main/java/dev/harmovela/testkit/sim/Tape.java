package dev.harmovela.testkit.sim;

import dev.harmovela.harness.HubConfig;
import dev.harmovela.harness.StateProbe;
import dev.harmovela.spi.FrameVisitor;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.SnapshotStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A copy of every frame that a hub appended, kept where no crash reaches it, and the state these frames stand for.
 *
 * <p>What a log holds after a crash must be the beginning of the tape, and what a hub knows must be the fold of it.
 */
final class Tape {

    private record Frame(long firstLsn, int count, byte[] body) {
        long lastLsn() {
            return firstLsn + count - 1;
        }
    }

    private final HubConfig config;
    private final List<Frame> frames = new ArrayList<>();
    private StateProbe.Fold fold;
    private int folded;

    Tape(HubConfig config) {
        this.config = config;
        this.fold = new StateProbe.Fold(config);
    }

    long lastLsn() {
        return frames.isEmpty() ? 0 : frames.get(frames.size() - 1).lastLsn();
    }

    /** The state all frames stand for. */
    byte[] stateBytes() {
        for (; folded < frames.size(); folded++) {
            fold.add(frames.get(folded).firstLsn(), frames.get(folded).body());
        }
        return fold.stateBytes();
    }

    /** Reads everything that was appended and that no crash took, frame by frame. */
    void read(StateProbe.Reader reader) {
        frames.forEach(frame -> fold.read(frame.firstLsn(), frame.body(), reader));
    }

    /** Forgets what a crash took: everything behind {@code lsn}. */
    void cut(long lsn) {
        if (lastLsn() > lsn) {
            while (lastLsn() > lsn) {
                frames.remove(frames.size() - 1);
            }
            fold = new StateProbe.Fold(config);
            folded = 0;
        }
    }

    /** Why a log is not a beginning of the tape that ends at its last position, or an empty text. */
    String difference(Journal log) throws IOException {
        if (log.lastLsn() > lastLsn()) {
            return "the log ends at " + log.lastLsn() + " although only " + lastLsn() + " was ever appended";
        }
        int[] at = {0};
        String[] wrong = {""};
        long first = log.firstLsn();
        long[] reached = {first - 1};
        while (at[0] < frames.size() && frames.get(at[0]).lastLsn() < first) {
            at[0]++;
        }
        log.read(first, (lsn, count, body) -> {
            Frame expected = at[0] < frames.size() ? frames.get(at[0]++) : null;
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            boolean same = expected != null
                    && expected.firstLsn() == lsn
                    && expected.count() == count
                    && Arrays.equals(expected.body(), bytes);
            reached[0] = lsn + count - 1;
            if (!same) {
                wrong[0] = "the frame at " + lsn + " is not the one that was appended";
            }
            return same;
        });
        boolean complete = reached[0] == log.lastLsn() || !wrong[0].isEmpty();
        return complete ? wrong[0] : "the log says it ends at " + log.lastLsn() + " but can be read to " + reached[0];
    }

    /** The journal with this tape running along. */
    Journal over(Journal journal) {
        return new Recording(journal);
    }

    private final class Recording implements Journal {

        private final Journal real;

        Recording(Journal real) {
            this.real = real;
        }

        @Override
        public String id() {
            return real.id();
        }

        @Override
        public long epoch() {
            return real.epoch();
        }

        @Override
        public long firstLsn() {
            return real.firstLsn();
        }

        @Override
        public long lastLsn() {
            return real.lastLsn();
        }

        @Override
        public long durableLsn() {
            return real.durableLsn();
        }

        @Override
        public boolean acceptsPublishes() {
            return real.acceptsPublishes();
        }

        @Override
        public long sizeBytes() {
            return real.sizeBytes();
        }

        @Override
        public void append(long firstLsn, int lsnCount, byte[] body, int offset, int length) {
            real.append(firstLsn, lsnCount, body, offset, length);
            frames.add(new Frame(firstLsn, lsnCount, Arrays.copyOfRange(body, offset, offset + length)));
        }

        @Override
        public void commit() {
            real.commit();
        }

        @Override
        public void read(long fromLsn, FrameVisitor visitor) throws IOException {
            real.read(fromLsn, visitor);
        }

        @Override
        public long[] find(long key, long fromLsn, int limit) throws IOException {
            return real.find(key, fromLsn, limit);
        }

        @Override
        public void trim(long lsn) throws IOException {
            real.trim(lsn);
        }

        @Override
        public SnapshotStore snapshots() {
            return real.snapshots();
        }

        @Override
        public void close() throws IOException {
            real.close();
        }
    }
}
