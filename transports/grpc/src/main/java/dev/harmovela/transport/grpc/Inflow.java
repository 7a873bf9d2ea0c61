package dev.harmovela.transport.grpc;

import io.grpc.ServerCall;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The incoming half of one stream: gRPC calls it on its loop, the hub takes what came in batches on its own executor.
 * While too much waits, no further message is asked for, so that HTTP/2 holds the sender back.
 */
final class Inflow extends ServerCall.Listener<Incoming> {

    private static final int MOST_MESSAGES = 1024;
    private static final long MOST_BYTES = 256 * 1024;

    private final ServerCall<Incoming, byte[]> call;
    private final StreamWire wire;
    private final Executor hub;
    private final Runnable left;
    private final int largest;
    private final ConcurrentLinkedQueue<Incoming> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean coming = new AtomicBoolean();
    /** A message was not asked for because too much waits. */
    private final AtomicBoolean owed = new AtomicBoolean();

    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean halfClosed;
    private volatile boolean stopped;
    private boolean endTold;

    Inflow(ServerCall<Incoming, byte[]> call, StreamWire wire, Executor hub, Doorway door) {
        this.call = call;
        this.wire = wire;
        this.hub = hub;
        this.left = door::left;
        this.largest = door.largest();
    }

    /** Asks for the first message. */
    void begin() {
        call.request(1);
    }

    /** A message that is still coming in is too large. On gRPC's loop. */
    void tooLarge(long atLeast) {
        hub.execute(() -> wire.tooLarge(atLeast));
    }

    /** Nothing that comes from now on is taken; false when that was so already. On the hub's executor. */
    boolean stop() {
        boolean first = !stopped;
        stopped = true;
        return first;
    }

    // --- on gRPC's loop

    @Override
    public void onMessage(Incoming message) {
        waiting.add(message);
        int messages = count.incrementAndGet();
        long size = bytes.addAndGet(message.bytes().length);
        if (messages < MOST_MESSAGES && size < MOST_BYTES) {
            call.request(1);
        } else {
            owed.set(true);
        }
        come();
    }

    @Override
    public void onHalfClose() {
        halfClosed = true;
        come();
    }

    @Override
    public void onReady() {
        hub.execute(wire::ready);
    }

    @Override
    public void onCancel() {
        end();
    }

    @Override
    public void onComplete() {
        end();
    }

    private void end() {
        if (over.compareAndSet(false, true)) {
            left.run();
            hub.execute(wire::gone);
        }
    }

    private void come() {
        if (coming.compareAndSet(false, true)) {
            hub.execute(this::drain);
        }
    }

    // --- on the hub's executor

    /** Hands over what waits, as far as the hub wants it. */
    void drain() {
        coming.set(false);
        boolean any = false;
        while (!stopped && !wire.isClosing() && wire.wantsInput()) {
            Incoming next = waiting.poll();
            if (next == null) {
                break;
            }
            count.decrementAndGet();
            bytes.addAndGet(-next.bytes().length);
            any = true;
            if (next.tooLarge()) {
                wire.tooLarge(largest + 1L);
            } else {
                wire.receive(Payloads.decode(next.bytes()));
            }
        }
        if (any) {
            wire.batchEnd();
        }
        if (stopped || wire.isClosing()) {
            waiting.clear();
            return;
        }
        if (bytes.get() < MOST_BYTES / 2 && count.get() < MOST_MESSAGES / 2 && owed.compareAndSet(true, false)) {
            call.request(1);
        }
        if (halfClosed && waiting.isEmpty() && !endTold) {
            endTold = true;
            wire.halfClosed();
        }
    }
}
