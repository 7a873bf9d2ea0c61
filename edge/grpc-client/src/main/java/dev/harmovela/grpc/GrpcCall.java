package dev.harmovela.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call, message by message. A few messages more are asked for when somebody takes one, so that a caller who does
 * not read holds the sender back. Any thread.
 */
public final class GrpcCall implements AutoCloseable {

    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private static final int WINDOW = 64;

    private final ClientCall<byte[], byte[]> call;
    private final LinkedBlockingQueue<Step> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Object room = new Object();
    private volatile Map<String, String> headers = Map.of();
    private volatile @Nullable GrpcEnd end;
    /** Messages that were asked for and not taken yet. */
    private int asked;

    private boolean quiet;

    /** What came. */
    public sealed interface Step {
        /** A message. The bytes are not copied. */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Data(byte[] bytes) implements Step {}

        /** The end. */
        record End(GrpcEnd how) implements Step {}
    }

    private GrpcCall(ClientCall<byte[], byte[]> call) {
        this.call = call;
    }

    static GrpcCall start(ClientCall<byte[], byte[]> call, Metadata headers) {
        GrpcCall started = new GrpcCall(call);
        call.start(started.new Ears(), headers);
        return started;
    }

    /** Sends a message; waits while too much of what was sent has not left. False when the call is over. */
    public boolean send(byte[] message) throws InterruptedException {
        synchronized (room) {
            while (!call.isReady() && end == null && begun.getCount() == 0) {
                room.wait();
            }
            if (end != null || quiet) {
                return false;
            }
            call.sendMessage(message);
            return true;
        }
    }

    /** Says that nothing more will be sent. */
    public void halfClose() {
        synchronized (room) {
            if (!quiet && end == null) {
                quiet = true;
                call.halfClose();
            }
        }
    }

    /** Asks for one message without taking it; for a reader that then stops. */
    public void ask() {
        askFor(1);
    }

    private synchronized void askFor(int messages) {
        if (asked <= messages / 2) {
            call.request(messages - asked);
            asked = messages;
        }
    }

    /** The next message or the end; null when nothing came in time. */
    public @Nullable Step receive(Duration patience) throws InterruptedException {
        askFor(WINDOW);
        Step step = heard.poll(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
        switch (step) {
            case null -> {
                return null;
            }
            case Step.Data _ -> {
                synchronized (this) {
                    asked--;
                }
            }
            case Step.End last -> heard.add(last);
        }
        return step;
    }

    /** Waits for the server's first sign; whether it let the call in. */
    public boolean awaitBegin(Duration patience) throws InterruptedException {
        return begun.await(patience.toNanos(), TimeUnit.NANOSECONDS) && end == null;
    }

    /** Texts of the initial metadata, by their names in small letters. */
    public Map<String, String> headers() {
        return headers;
    }

    /** How the call ended, or null while it goes on. */
    public @Nullable GrpcEnd end() {
        return end;
    }

    /** Ends the call from this side. */
    @Override
    public void close() {
        call.cancel("the client is done", null);
    }

    private static Map<String, String> texts(Metadata metadata) {
        Map<String, String> texts = new HashMap<>();
        for (String name : metadata.keys()) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!lower.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                String value = metadata.get(Metadata.Key.of(lower, Metadata.ASCII_STRING_MARSHALLER));
                texts.put(lower, value == null ? "" : value);
            }
        }
        return texts;
    }

    private final class Ears extends ClientCall.Listener<byte[]> {

        @Override
        public void onHeaders(Metadata told) {
            headers = texts(told);
            begun.countDown();
            wake();
        }

        @Override
        public void onMessage(byte[] message) {
            heard.add(new Step.Data(message));
        }

        @Override
        public void onReady() {
            wake();
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            String text = status.getDescription();
            if (text == null && status.getCause() != null) {
                text = status.getCause().getMessage();
            }
            GrpcEnd how = new GrpcEnd(
                    status.getCode().value(),
                    status.getCode().name(),
                    text == null ? "" : text,
                    texts(trailers),
                    trailers.get(DETAILS));
            end = how;
            begun.countDown();
            heard.add(new Step.End(how));
            wake();
        }

        private void wake() {
            synchronized (room) {
                room.notifyAll();
            }
        }
    }
}
