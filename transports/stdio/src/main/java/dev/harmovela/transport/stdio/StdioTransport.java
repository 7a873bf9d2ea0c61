package dev.harmovela.transport.stdio;

import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.TransportGuarantees;
import dev.harmovela.spi.WireInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The binding to standard input and output (§13): one event a line, each way. Standard output carries events and
 * nothing else (TRN-01); the answer to a line that is not JSON goes to standard error. The process at the other end
 * is trusted (D7).
 */
public final class StdioTransport {

    /** What this transport promises. */
    public static final TransportGuarantees GUARANTEES = new TransportGuarantees(
            "harmovela.transport.stdio.v1",
            "best_effort, at_least_once, replayable",
            "total: one line after the other, each way",
            "from_cursor",
            "limits.payload_bytes, 1 MiB by default",
            "inbound: event.acknowledged after the force; outbound: the reader's event.acknowledged");

    private final InputStream in;
    private final Hub hub;
    private final Output output;
    private final CountDownLatch finished = new CountDownLatch(1);
    /** One batch at a time is on its way to the hub, while the next is being read. */
    private final Semaphore batches = new Semaphore(1);

    private final Wire wire = new Wire();

    /**
     * @param in where lines come from
     * @param out where events go, and nothing else
     * @param err where diagnostics go
     * @param hub the hub to speak to
     */
    public StdioTransport(InputStream in, PrintStream out, PrintStream err, Hub hub) {
        this.in = in;
        this.hub = hub;
        this.output = new Output(out, err, wire);
    }

    /**
     * Takes standard output away from everybody else: what is printed from now on goes to standard error.
     *
     * @return the stream for {@link #StdioTransport}
     */
    public static PrintStream claimStandardOutput() {
        PrintStream standard = System.out;
        System.setOut(System.err);
        return standard;
    }

    /**
     * Serves until the input ends, the reader goes away or the hub ends the wire. Blocks; not for the hub's executor.
     *
     * @return the exit code, 0
     */
    public int run() throws InterruptedException {
        output.start();
        hub.executor().execute(wire::open);
        Thread.ofPlatform().name("stdio-reader").daemon().start(this::read);
        finished.await();
        return 0;
    }

    private void read() {
        LineReader reader = new LineReader(in, hub.limits().maxEventBytes());
        try {
            while (true) {
                List<LineReader.Item> items = reader.next();
                batches.acquire();
                if (items.isEmpty()) {
                    break;
                }
                onHub(() -> wire.take(items));
            }
        } catch (IOException broken) {
            // a pipe that broke ends like one that was closed
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        onHub(wire::inputEnded);
    }

    /** A hub that has stopped takes nothing more, and then nothing is left to do for it either. */
    private void onHub(Runnable task) {
        try {
            hub.executor().execute(task);
        } catch (RejectedExecutionException stopped) {
            finished.countDown();
        }
    }

    /** Both sides of the one wire. On the hub's executor, but for what {@link Output} tells. */
    private final class Wire implements Peer, Output.Listener {

        private @Nullable Connection connection;
        private boolean closed;
        private boolean batchTaken;

        void open() {
            Connection opened = hub.connect(this, new WireInfo("stdio", Caller.implied(), WireInfo.Kind.DUPLEX));
            connection = opened;
            opened.onWantsInput(this::goOn);
        }

        void take(List<LineReader.Item> items) {
            if (closed) {
                return;
            }
            for (LineReader.Item item : items) {
                switch (item) {
                    case LineReader.Item.Line(byte[] bytes) -> hubSide().receive(bytes, 0, bytes.length);
                    case LineReader.Item.TooLong(long length) ->
                        hubSide().receiveTooLarge(length, hub.limits().maxEventBytes());
                }
            }
            hubSide().batchEnd();
            batchTaken = true;
            goOn();
        }

        /** Lets the next batch come when the hub wants it and its answers have somewhere to go. */
        private void goOn() {
            if (batchTaken && hubSide().wantsInput() && output.writable()) {
                batchTaken = false;
                batches.release();
            }
        }

        void inputEnded() {
            if (!closed) {
                hubSide().inputEnded();
                hubSide().fence(() -> close(CloseReason.NORMAL, "the input ended"));
            }
        }

        @Override
        public boolean writable() {
            return !closed && output.writable();
        }

        @Override
        public void send(Message message) {
            if (!closed) {
                output.add(message);
            }
        }

        @Override
        public void flush() {
            output.flush();
        }

        @Override
        public void close(CloseReason reason, String text) {
            if (!closed) {
                closed = true;
                output.end();
            }
        }

        @Override
        public void drained() {
            onHub(() -> {
                if (!closed) {
                    hubSide().writable();
                    goOn();
                }
            });
        }

        @Override
        public void finished() {
            onHub(() -> {
                closed = true;
                hubSide().closed();
                finished.countDown();
            });
        }

        private Connection hubSide() {
            return Objects.requireNonNull(connection);
        }
    }
}
