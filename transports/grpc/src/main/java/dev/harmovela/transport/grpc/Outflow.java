package dev.harmovela.transport.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing half of one call. A message leaves only while gRPC says that it is ready for it; until then it waits
 * here, within a bound (TRN-05). On the hub's executor only.
 */
final class Outflow {

    private final ServerCall<?, byte[]> call;
    private final int mostBytes;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final Metadata headers = new Metadata();
    private byte @Nullable [] lastResumable;
    private long waitingBytes;
    private boolean begun;
    private boolean ended;
    private @Nullable Runnable whenEmpty;

    Outflow(ServerCall<?, byte[]> call, int mostBytes) {
        this.call = call;
        this.mostBytes = mostBytes;
    }

    /** Whether a reader may go on behind a message. */
    enum Place {
        NONE,
        RESUMABLE
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Waiting(byte[] message, Place place) {}

    /** Metadata that goes ahead of the first message; nothing after that. */
    Metadata headers() {
        return headers;
    }

    /** Sends the headers, so that the client knows that it was let in. */
    void begin() {
        if (!begun && !ended) {
            begun = true;
            call.sendHeaders(headers);
        }
    }

    /** Whether the next message would leave at once. */
    boolean isReady() {
        return !ended && waiting.isEmpty() && call.isReady();
    }

    /** Whether so many bytes more would break the bound. */
    boolean overflowsWith(int bytes) {
        return !waiting.isEmpty() && waitingBytes + bytes > mostBytes;
    }

    /** Whether so much waits that whoever causes more of it should be heard later. */
    boolean isCongested() {
        return waitingBytes > mostBytes / 16;
    }

    /** Whether something waits here. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** The last message with a place that was handed to gRPC, or null. */
    byte @Nullable [] lastResumable() {
        return lastResumable;
    }

    /** Sends a message or keeps it. */
    void send(byte[] message, Place place) {
        if (ended) {
            return;
        }
        begin();
        if (isReady()) {
            hand(message, place);
        } else {
            waiting.add(new Waiting(message, place));
            waitingBytes += message.length;
        }
    }

    private void hand(byte[] message, Place place) {
        call.sendMessage(message);
        if (place == Place.RESUMABLE) {
            lastResumable = message;
        }
    }

    /** gRPC is ready again: sends what waits, as far as it goes. */
    void ready() {
        while (!ended && !waiting.isEmpty() && call.isReady()) {
            Waiting next = waiting.remove();
            waitingBytes -= next.message().length;
            hand(next.message(), next.place());
        }
        Runnable then = whenEmpty;
        if (waiting.isEmpty() && then != null) {
            whenEmpty = null;
            then.run();
        }
    }

    /** Runs {@code then} once nothing waits any more. */
    void afterAll(Runnable then) {
        whenEmpty = then;
        ready();
    }

    /** Forgets what waits. */
    void discard() {
        waiting.clear();
        waitingBytes = 0;
        whenEmpty = null;
    }

    /** Ends the call behind what was handed to gRPC. Idempotent. */
    void end(Status status, Metadata trailers) {
        if (!ended) {
            ended = true;
            discard();
            call.close(status, trailers);
        }
    }

    /** The call is gone; nothing may be sent any more. */
    void gone() {
        ended = true;
        discard();
    }
}
