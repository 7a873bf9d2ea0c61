package dev.harmovela.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.SnapshotStore.Snapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Journal} must do. A store's test extends this class and says how its journal is opened; what it
 * cannot do it declares in {@link #supports}, and the claim is checked.
 */
public abstract class JournalContract {

    /** Abilities that a journal may lack. */
    public enum Behaviour {
        /** What was durable is there after closing and opening again. */
        SURVIVES_CLOSE,
        /** Trimming below the end of the log forgets something once there is enough of it. */
        TRIMS_SMALL_LOGS
    }

    /** A key for each letter of the body, so that bodies can be looked up by what is in them. */
    protected static final FrameKeys LETTERS = (body, sink) -> {
        for (int i = body.position(); i < body.limit(); i++) {
            if (body.get(i) != '.') {
                sink.accept(key((char) body.get(i)));
            }
        }
    };

    /** A frame as a visitor saw it. */
    protected record Seen(long firstLsn, int lsnCount, String body) {}

    private JournalWatch watch = new JournalWatch();
    private @Nullable Journal opened;

    /** Opens the journal of this test; called again after a close, it opens the same one. */
    protected abstract Journal open(FrameKeys keys, JournalListener listener) throws IOException;

    /** Whether the journal has an ability; everything by default. */
    protected boolean supports(Behaviour behaviour) {
        return true;
    }

    /** Largest body that must be taken, in bytes. */
    protected int largestBody() {
        return 8 << 20;
    }

    @BeforeEach
    void openFirst() throws IOException {
        opened = open(LETTERS, watch);
    }

    @AfterEach
    void closeLast() throws IOException {
        journal().close();
        assertThat(watch.losses()).isEmpty();
    }

    private Journal journal() {
        return Objects.requireNonNull(opened);
    }

    private void reopen() throws IOException {
        journal().close();
        watch = new JournalWatch();
        opened = open(LETTERS, watch);
    }

    private static long key(char letter) {
        return letter * 0x9e37_79b9_7f4a_7c15L;
    }

    private void append(String body) {
        append(1, body);
    }

    private void append(int lsnCount, String body) {
        byte[] bytes = ("<" + body + ">").getBytes(StandardCharsets.ISO_8859_1);
        journal().append(journal().lastLsn() + 1, lsnCount, bytes, 1, bytes.length - 2);
    }

    private void commitAndWait() {
        journal().commit();
        watch.awaitDurable(journal().lastLsn());
    }

    private List<Seen> read(long fromLsn) throws IOException {
        List<Seen> seen = new ArrayList<>();
        journal().read(fromLsn, (lsn, count, body) -> seen.add(new Seen(lsn, count, text(body))));
        return seen;
    }

    private static String text(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Appends frames of 1 000 bytes, which together take several segments of a small journal. */
    private void fill(int frames) {
        for (int i = 0; i < frames; i++) {
            append(".".repeat(999) + (char) ('A' + i % 26));
            commitAndWait();
        }
    }

    @Test
    void anEmptyLogBeginsAtOne() throws IOException {
        assertThat(journal().firstLsn()).isEqualTo(1);
        assertThat(journal().lastLsn()).isZero();
        assertThat(journal().durableLsn()).isZero();
        assertThat(journal().epoch()).isEqualTo(1);
        assertThat(journal().id()).matches("[0-9a-z]+");
        assertThat(journal().acceptsPublishes()).isTrue();
        assertThat(read(1)).isEmpty();
        assertThat(journal().snapshots().newest()).isNull();
    }

    @Test
    void committedFramesAreReadAsTheyWere() throws IOException {
        append("one");
        append(3, "two");
        append("");
        commitAndWait();
        append("four");
        commitAndWait();
        assertThat(read(1))
                .containsExactly(
                        new Seen(1, 1, "one"), new Seen(2, 3, "two"), new Seen(5, 1, ""), new Seen(6, 1, "four"));
        assertThat(journal().durableLsn()).isEqualTo(6);
        assertThat(watch.durables()).isSorted().doesNotHaveDuplicates().endsWith(6L);
        assertThat(journal().sizeBytes()).isPositive();
    }

    @Test
    void readingBeginsWithTheFrameThatCoversThePosition() throws IOException {
        append(2, "a");
        append(5, "b");
        append(1, "c");
        commitAndWait();
        assertThat(read(5)).containsExactly(new Seen(3, 5, "b"), new Seen(8, 1, "c"));
        assertThat(read(8)).containsExactly(new Seen(8, 1, "c"));
        assertThat(read(9)).isEmpty();
        assertThat(read(-4)).hasSize(3);
    }

    @Test
    void readingEndsWhenTheVisitorHasEnough() throws IOException {
        append("a");
        append("b");
        append("c");
        commitAndWait();
        List<Long> seen = new ArrayList<>();
        journal().read(1, (lsn, _, _) -> seen.add(lsn) && lsn < 2);
        assertThat(seen).containsExactly(1L, 2L);
    }

    @Test
    void bytesAreCopiedBeforeAppendReturns() throws IOException {
        byte[] bytes = "before".getBytes(StandardCharsets.ISO_8859_1);
        journal().append(1, 1, bytes, 0, bytes.length);
        bytes[0] = 'X';
        commitAndWait();
        assertThat(read(1)).containsExactly(new Seen(1, 1, "before"));
    }

    @Test
    void whatIsNotCommittedIsNeitherDurableNorRead() throws IOException {
        append("a");
        commitAndWait();
        append("b");
        assertThat(journal().lastLsn()).isEqualTo(2);
        assertThat(journal().durableLsn()).isEqualTo(1);
        assertThat(read(1)).containsExactly(new Seen(1, 1, "a"));
    }

    @Test
    void commitsWithoutFramesSayNothing() {
        journal().commit();
        append("a");
        commitAndWait();
        journal().commit();
        assertThat(watch.durables()).containsExactly(1L);
    }

    @Test
    void aFrameThatDoesNotFollowIsRefused() throws IOException {
        append("a");
        byte[] body = {1};
        assertThatThrownBy(() -> journal().append(3, 1, body, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> journal().append(1, 1, body, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> journal().append(2, 0, body, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        append("b");
        commitAndWait();
        assertThat(read(1)).extracting(Seen::body).containsExactly("a", "b");
    }

    @Test
    void aFrameThatIsTooLargeIsRefusedAndTheLargestIsTaken() throws IOException {
        append(".".repeat(largestBody()));
        assertThatThrownBy(() -> append(".".repeat((8 << 20) + 1))).isInstanceOf(IllegalArgumentException.class);
        append("b");
        commitAndWait();
        assertThat(read(1)).extracting(seen -> seen.body().length()).containsExactly(largestBody(), 1);
    }

    @Test
    void framesAreFoundByKeyInOrder() throws IOException {
        append("ab");
        append(2, "b");
        append("aa");
        append("c");
        commitAndWait();
        assertThat(journal().find(key('a'), 1, 10)).containsExactly(1, 4);
        assertThat(journal().find(key('b'), 1, 10)).containsExactly(1, 2);
        assertThat(journal().find(key('b'), 2, 10)).containsExactly(2);
        assertThat(journal().find(key('a'), 1, 1)).containsExactly(1);
        assertThat(journal().find(key('a'), 1, 0)).isEmpty();
        assertThat(journal().find(key('z'), 1, 10)).isEmpty();
        append("a");
        assertThat(journal().find(key('a'), 4, 10)).containsExactly(4);
        commitAndWait();
        assertThat(journal().find(key('a'), 4, 10)).containsExactly(4, 5 + 1);
    }

    @Test
    void framesAreFoundAcrossALongLog() throws IOException {
        fill(200);
        assertThat(journal().find(key('C'), 1, 100)).containsExactly(3, 29, 55, 81, 107, 133, 159, 185);
        assertThat(journal().find(key('C'), 60, 3)).containsExactly(81, 107, 133);
        assertThat(journal().find(key('.'), 1, 100)).isEmpty();
    }

    @Test
    void trimmingForgetsOnlyWhatLiesBelow() throws IOException {
        fill(200);
        journal().trim(150);
        long first = journal().firstLsn();
        if (supports(Behaviour.TRIMS_SMALL_LOGS)) {
            assertThat(first).isBetween(2L, 150L);
        } else {
            assertThat(first).isEqualTo(1);
        }
        assertThat(read(1))
                .hasSize((int) (201 - first))
                .first()
                .extracting(Seen::firstLsn)
                .isEqualTo(first);
        assertThat(journal().find(key('C'), 1, 100)).endsWith(159, 185);
        assertThat(LongStream.of(journal().find(key('C'), 1, 100))).allMatch(lsn -> lsn >= first);
        journal().trim(150);
        assertThat(journal().firstLsn()).isEqualTo(first);
        journal().trim(1_000);
        assertThat(journal().lastLsn()).isEqualTo(200);
        append("b");
        commitAndWait();
        assertThat(read(201)).containsExactly(new Seen(201, 1, "b"));
    }

    @Test
    void theTwoNewestSnapshotsAreKept() throws IOException {
        fill(3);
        journal().snapshots().store(new Snapshot(1, new byte[] {1}));
        assertThat(journal().snapshots().oldestKeptLsn()).isZero();
        journal().snapshots().store(new Snapshot(2, new byte[] {2, 2}));
        assertThat(journal().snapshots().oldestKeptLsn()).isEqualTo(1);
        journal().snapshots().store(new Snapshot(3, new byte[] {}));
        assertThat(journal().snapshots().oldestKeptLsn()).isEqualTo(2);
        Snapshot newest = Objects.requireNonNull(journal().snapshots().newest());
        assertThat(newest.lsn()).isEqualTo(3);
        assertThat(newest.bytes()).isEmpty();
        journal().snapshots().clear();
        assertThat(journal().snapshots().newest()).isNull();
        assertThat(journal().snapshots().oldestKeptLsn()).isZero();
    }

    @Test
    void closingKeepsWhatWasOpenAndEndsTheLog() throws IOException {
        append("a");
        commitAndWait();
        append("b");
        journal().close();
        assertThat(watch.durable()).isEqualTo(2);
        assertThatThrownBy(() -> append("c")).isInstanceOf(IllegalStateException.class);
        journal().close();
    }

    @Test
    void openingAgainGoesOnWhereItEnded() throws IOException {
        String id = journal().id();
        fill(100);
        journal().snapshots().store(new Snapshot(99, new byte[] {9}));
        List<Seen> before = read(1);
        reopen();
        if (supports(Behaviour.SURVIVES_CLOSE)) {
            assertThat(journal().id()).isEqualTo(id);
            assertThat(journal().epoch()).isEqualTo(2);
            assertThat(read(1)).isEqualTo(before);
            assertThat(journal().durableLsn()).isEqualTo(100);
            assertThat(journal().find(key('C'), 1, 100)).containsExactly(3, 29, 55, 81);
            assertThat(Objects.requireNonNull(journal().snapshots().newest()).bytes())
                    .containsExactly(9);
        } else {
            assertThat(read(1)).isEmpty();
        }
        append("more");
        commitAndWait();
        assertThat(read(journal().lastLsn())).extracting(Seen::body).containsExactly("more");
    }

    @Test
    void readersBesideTheWriterSeeALogWithoutHoles() throws Exception {
        int frames = 3_000;
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> readUntil(frames));
        for (int i = 0; i < frames; i++) {
            append(".".repeat(i % 300));
            if (i % 7 == 0) {
                journal().commit();
            }
        }
        commitAndWait();
        reader.get(30, TimeUnit.SECONDS);
    }

    private void readUntil(int frames) {
        long next = 1;
        while (next <= frames) {
            long[] expected = {next};
            try {
                journal().read(next, (lsn, _, body) -> {
                    assertThat(lsn).isEqualTo(expected[0]++);
                    assertThat(lsn).isLessThanOrEqualTo(journal().durableLsn());
                    assertThat(body.remaining()).isEqualTo((int) ((lsn - 1) % 300));
                    return true;
                });
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            next = expected[0];
        }
    }
}
