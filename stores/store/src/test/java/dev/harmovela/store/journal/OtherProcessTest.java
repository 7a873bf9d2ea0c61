package dev.harmovela.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.JournalListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory shared with, and inherited from, a real process that is killed. */
class OtherProcessTest {

    private static final JournalOptions OPTIONS = JournalOptions.DEFAULT.withSegmentBytes(64 << 10);

    @TempDir
    private Path directory;

    private final List<Process> children = new ArrayList<>();

    @AfterEach
    void endChildren() throws InterruptedException {
        for (Process child : children) {
            child.destroyForcibly().waitFor();
        }
    }

    /** Appends numbered frames until it is killed and prints each position that became durable. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Semaphore inFlight = new Semaphore(1_000);
            JournalListener listener = new JournalListener() {
                private long told;

                @Override
                public void durable(long lsn) {
                    System.out.println(lsn);
                    inFlight.release((int) (lsn - told));
                    told = lsn;
                }

                @Override
                public void lost(Throwable cause) {
                    System.out.println(cause);
                }
            };
            SegmentJournal journal = SegmentJournal.open(Path.of(arguments[0]), OPTIONS, FrameKeys.NONE, listener);
            for (int i = 1; ; i++) {
                inFlight.acquireUninterruptibly();
                byte[] body = body(i);
                journal.append(i, 1, body, 0, body.length);
                journal.commit();
            }
        }
    }

    private static byte[] body(long lsn) {
        byte[] body = new byte[(int) (lsn % 500)];
        Arrays.fill(body, (byte) lsn);
        return body;
    }

    private BufferedReader startChild() throws IOException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        children.add(child);
        return child.inputReader();
    }

    @Test
    void theHolderInAnotherProcessIsNamed() throws Exception {
        BufferedReader output = startChild();
        assertThat(output.readLine()).matches("[0-9]+");
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> FileDisk.open(directory))
                    .isInstanceOf(DirectoryLocked.class)
                    .hasMessageContaining("by process " + children.getFirst().pid());
        }
    }

    @Test
    void aVainSecondOpeningDoesNotGiveTheLockAway() throws Exception {
        try (FileDisk held = FileDisk.open(directory)) {
            assertThatThrownBy(() -> FileDisk.open(held.directory())).isInstanceOf(DirectoryLocked.class);
            List<String> lines = startChild().lines().toList();
            assertThat(lines)
                    .anyMatch(line -> line.contains("DirectoryLocked"))
                    .anyMatch(line -> line.contains(
                            "by process " + ProcessHandle.current().pid()));
        }
    }

    @Test
    void whatAKilledProcessReportedDurableIsThere() throws Exception {
        BufferedReader output = startChild();
        long reported = 0;
        while (reported < 3_000) {
            reported = Long.parseLong(output.readLine());
        }
        children.getFirst().destroyForcibly().waitFor();
        JournalListener silent = new JournalListener() {
            @Override
            public void durable(long lsn) {}

            @Override
            public void lost(Throwable cause) {}
        };
        try (SegmentJournal journal = SegmentJournal.open(directory, OPTIONS, FrameKeys.NONE, silent)) {
            assertThat(journal.epoch()).isEqualTo(2);
            long[] next = {1};
            journal.read(1, (lsn, _, body) -> {
                byte[] bytes = new byte[body.remaining()];
                body.get(bytes);
                assertThat(lsn).isEqualTo(next[0]++);
                assertThat(bytes).isEqualTo(body(lsn));
                return true;
            });
            assertThat(next[0] - 1).isEqualTo(journal.lastLsn()).isGreaterThanOrEqualTo(reported);
        }
    }
}
