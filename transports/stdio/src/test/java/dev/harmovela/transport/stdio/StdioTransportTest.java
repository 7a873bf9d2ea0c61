package dev.harmovela.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events over standard input and output. */
class StdioTransportTest {

    private final FakeHub hub = new FakeHub();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void stop() {
        hub.close();
    }

    private int run(InputStream in, OutputStream to) throws InterruptedException {
        return new StdioTransport(
                        in,
                        new PrintStream(to, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        hub)
                .run();
    }

    private int run(String in) throws InterruptedException {
        return run(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), out);
    }

    private CompletableFuture<Integer> begin(InputStream in, OutputStream to) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run(in, to);
            } catch (InterruptedException failure) {
                throw new AssertionError(failure);
            }
        });
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void everyLineIsAnEventAndBlankOnesAreNothing() throws InterruptedException {
        int exit = run("{\"n\":1}\r\n\n  \t\r\n{\"n\":\"ü\"}\n{\"n\":3}");

        assertThat(exit).isZero();
        assertThat(hub.received).containsExactly("{\"n\":1}", "{\"n\":\"ü\"}", "{\"n\":3}");
        assertThat(hub.info.transport()).isEqualTo("stdio");
        assertThat(hub.info.caller()).isEqualTo(Caller.implied());
    }

    /** TRN-01: line by line, whatever white space an event holds, and nothing else. */
    @Test
    void standardOutputIsLinesOfJsonAndNothingElse() throws InterruptedException {
        run("{\"n\":1}\nnot json\n{\"n\":2}\n");

        assertThat(lines())
                .containsExactly(
                        "{\"ack\":1, \"pad\":\"\"}", "{\"ack\":3, \"pad\":\"\"}", "{\"type\":\"session.closed\"}")
                .allSatisfy(Json::parse);
        assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("}\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("{\"bad\":2}\n");
    }

    @Test
    void theEndOfInputClosesInOrder() throws InterruptedException {
        assertThat(run("")).isZero();

        assertThat(hub.calls).containsExactly("input ended", "closed");
        assertThat(lines()).containsExactly("{\"type\":\"session.closed\"}");
    }

    /** TRN-15. */
    @Test
    void aLineTooLongIsRefusedAndTheNextOneWorks() throws InterruptedException {
        int limit = hub.limits().maxEventBytes();
        String exact = "\"" + "x".repeat(limit - 2) + "\"";

        run(exact + "\r\n" + "y".repeat(limit + 1) + "\n" + "z".repeat(5 * limit) + "\n{\"n\":2}\n");

        assertThat(hub.received).containsExactly(exact, "{\"n\":2}");
        assertThat(hub.calls)
                .startsWith("too large " + (limit + 1) + " of " + limit, "too large " + 5 * limit + " of " + limit);
    }

    @Test
    void readingStopsWhileTheHubHasEnough() throws IOException {
        hub.stopAfter = 1;
        PipedOutputStream to = new PipedOutputStream();
        CompletableFuture<Integer> exit = begin(new PipedInputStream(to), out);
        write(to, "{\"n\":1}\n");
        await().until(() -> hub.received.size() == 1);
        write(to, "{\"n\":2}\n");
        hub.on(() -> assertThat(hub.received).hasSize(1));

        hub.want();

        await().until(() -> hub.received.size() == 2);
        to.close();
        assertThat(exit.join()).isZero();
    }

    private static void write(OutputStream to, String text) throws IOException {
        to.write(text.getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    /** A reader that stops does not hold the hub up: it is no longer asked to send, and its own input waits. */
    @Test
    void aReaderThatStopsHoldsOnlyItselfUp() throws IOException {
        CountDownLatch readOn = new CountDownLatch(1);
        OutputStream stuck = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                try {
                    readOn.await();
                } catch (InterruptedException failure) {
                    throw new IOException(failure);
                }
                out.write(bytes, offset, length);
            }
        };
        hub.answerPadding = 300 * 1024;
        PipedOutputStream to = new PipedOutputStream();
        CompletableFuture<Integer> exit = begin(new PipedInputStream(to), stuck);
        write(to, "{\"n\":1}\n");
        await().until(() -> hub.received.size() == 1);
        write(to, "{\"n\":2}\n");
        hub.on(() -> {
            assertThat(hub.peer.writable()).isFalse();
            assertThat(hub.received).hasSize(1);
        });

        readOn.countDown();

        await().until(() -> hub.received.size() == 2 && hub.calls.contains("writable"));
        to.close();
        assertThat(exit.join()).isZero();
        assertThat(lines()).hasSize(3);
    }

    @Test
    void aBrokenPipeIsACleanEnd() throws IOException {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        PipedOutputStream to = new PipedOutputStream();
        CompletableFuture<Integer> exit = begin(new PipedInputStream(to), broken);

        write(to, "{\"n\":1}\n");

        assertThat(exit.join()).isZero();
        await().until(() -> hub.calls.contains("closed"));
        to.close();
    }

    @Test
    void theHubMayEndIt() throws IOException {
        PipedOutputStream to = new PipedOutputStream();
        CompletableFuture<Integer> exit = begin(new PipedInputStream(to), out);
        await().until(() -> hub.peer != null);

        hub.on(() -> {
            hub.say("{\"type\":\"session.closed\"}", false);
            hub.peer.close(CloseReason.GOING_AWAY, "draining");
            hub.say("{\"type\":\"late\"}", false);
        });

        assertThat(exit.join()).isZero();
        assertThat(lines()).containsExactly("{\"type\":\"session.closed\"}");
        to.close();
    }

    /** TRN-01: what a library prints goes where diagnostics go. */
    @Test
    void whatOthersPrintGoesToStandardError() {
        PrintStream before = System.out;
        PrintStream errBefore = System.err;
        try {
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            PrintStream claimed = StdioTransport.claimStandardOutput();
            System.out.print("a banner");

            assertThat(claimed).isSameAs(before);
            assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("a banner");
        } finally {
            System.setOut(before);
            System.setErr(errBefore);
        }
    }
}
