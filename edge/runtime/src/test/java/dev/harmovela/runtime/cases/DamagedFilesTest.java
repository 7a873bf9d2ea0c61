package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.StartFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bytes that turn over and files that are cut short, in whichever segment: the hub refuses to start and names the file,
 * or nothing that it had acknowledged is missing or changed.
 */
@Tag("faults")
class DamagedFilesTest {

    private static final int EVENTS = 3_000;
    private static final String FILLER = "x".repeat(900);

    @TempDir
    private Path folder;

    private Path whole;

    @BeforeEach
    void fillSomeSegments() throws Exception {
        whole = folder.resolve("whole");
        try (Running hub = Running.in(whole);
                HarmovelaClient publisher = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:p"))) {
            List<CompletableFuture<Json.Obj>> answers = new ArrayList<>();
            for (int n = 0; n < EVENTS; n++) {
                answers.add(publisher.send(
                        "context.updated",
                        Json.Obj.builder().put("n", n).put("filler", FILLER).build()));
            }
            for (CompletableFuture<Json.Obj> answer : answers) {
                assertThat(answer.join().string("type")).isEqualTo("event.acknowledged");
            }
        }
        assertThat(segments(whole)).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void oneByteIsFoundOrDoesNotMatter() throws Exception {
        turnBytes(12);
    }

    @Test
    @Tag("long")
    void oneByteIsFoundOrDoesNotMatterWhereverItIs() throws Exception {
        turnBytes(Integer.getInteger("harmovela.damages", 300));
    }

    private void turnBytes(int times) throws Exception {
        int refused = 0;
        for (int seed = 1; seed <= times; seed++) {
            Random random = new Random(seed);
            Path copy = copy("turned-" + seed);
            List<Path> segments = segments(copy);
            Path hurt = segments.get(random.nextInt(segments.size()));
            long at = random.nextLong(Files.size(hurt));
            try (FileChannel file = FileChannel.open(hurt, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                file.read(one, at);
                one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8))).flip();
                file.write(one, at);
            }
            int read = startAndRead(copy, hurt);
            assertThat(read).as("seed %d, %s at %d", seed, hurt, at).isIn(-1, EVENTS);
            refused += read < 0 ? 1 : 0;
            delete(copy);
        }
        assertThat(refused).as("times it was found").isGreaterThan(times / 4);
    }

    /** What lies before the cut in the newest segment is there without a hole; what a sealed one lacks is found. */
    @Test
    void aTornFileEndsEarlierOrIsRefusedByName() throws Exception {
        for (int seed = 1; seed <= 8; seed++) {
            Random random = new Random(seed);
            Path copy = copy("torn-" + seed);
            List<Path> segments = segments(copy);
            boolean newest = seed % 2 == 0;
            Path hurt = newest ? segments.getLast() : segments.getFirst();
            try (FileChannel file = FileChannel.open(hurt, StandardOpenOption.WRITE)) {
                file.truncate(random.nextLong(4096, Files.size(hurt)));
            }
            int read = startAndRead(copy, hurt);
            if (newest) {
                assertThat(read).as("seed %d, %s", seed, hurt).isBetween(EVENTS / 2, EVENTS);
            } else {
                assertThat(read).as("seed %d, %s", seed, hurt).isIn(-1, EVENTS);
            }
            delete(copy);
        }
    }

    /** How many events there are, from the first on without a hole; -1 when the hub names the file and stays down. */
    private static int startAndRead(Path data, Path hurt) throws Exception {
        try (Running hub = Running.in(data);
                Agent reader = hub.agent("agent:reader")) {
            reader.subscribe("{\"types\":[\"context.updated\"],\"from_cursor\":\"earliest\",\"max_in_flight\":"
                    + (EVENTS + 1) + ",\"delivery_mode\":\"replayable\"}");
            int read = 0;
            while (true) {
                Json.Obj next = reader.await(one -> one.has("delivery") || "event.replayed".equals(one.string("type")));
                if (!next.has("delivery")) {
                    return read;
                }
                assertThat(next.object("payload").integer("n")).isEqualTo(read);
                assertThat(next.object("payload").string("filler")).isEqualTo(FILLER);
                read++;
            }
        } catch (AssertionError failed) {
            if (failed.getCause() instanceof StartFailed told) {
                assertThat(told.getMessage()).contains(String.valueOf(hurt.getFileName()));
                return -1;
            }
            throw failed;
        }
    }

    private static List<Path> segments(Path data) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.toString().endsWith(".seg"))
                    .sorted()
                    .toList();
        }
    }

    private Path copy(String name) throws IOException {
        Path to = folder.resolve(name);
        try (Stream<Path> files = Files.walk(whole)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(whole.relativize(file).toString()));
            }
        }
        return to;
    }

    private static void delete(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(copy)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
