package dev.harmovela.transport.grpc;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A hub on a thread of its own that shows what it was given and says what a test tells it. */
final class FakeHub implements Hub, AutoCloseable {

    final List<Wire> wires = new CopyOnWriteArrayList<>();
    final List<String> turnedAway = new CopyOnWriteArrayList<>();
    volatile boolean newWiresWant = true;
    /** What each event is answered with, or null. */
    volatile @Nullable String answers;

    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    Wire wire() {
        return wires.getLast();
    }

    /** Runs on the hub's thread and waits for it. */
    void on(Runnable task) {
        CompletableFuture.runAsync(task, thread).join();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    @Override
    public ExecutorService executor() {
        return thread;
    }

    @Override
    public Limits limits() {
        return Limits.DEFAULT;
    }

    @Override
    public Connection connect(Peer peer, WireInfo info) {
        return add(new Wire(peer, info, "connect"));
    }

    private Wire add(Wire wire) {
        wires.add(wire);
        return wire;
    }

    @Override
    public Attachment attachSession(
            Peer peer, WireInfo info, String id, @Nullable String afterEventId, @Nullable String fromCursor) {
        if (id.equals("foreign")) {
            return new Attachment.Refused(ProtocolError.of(ErrorCode.UNAUTHORIZED, "no such session"));
        }
        if (id.equals("over")) {
            return new Attachment.Refused(ProtocolError.of(ErrorCode.SESSION_CLOSED));
        }
        Wire wire = add(new Wire(peer, info, "session " + id + " from " + fromCursor));
        wire.session = id;
        return new Attachment.Attached(wire);
    }

    @Override
    public Attachment joinSession(Peer peer, WireInfo info, String sessionId) {
        throw new AssertionError("a stream is attached");
    }

    @Override
    public Attachment attachSubscription(Peer peer, WireInfo info, String id, @Nullable String fromCursor) {
        throw new AssertionError("a stream is a session's");
    }

    @Override
    public void pull(Caller caller, String id, int limit, long timeoutMillis, Consumer<Pulled> done) {
        throw new AssertionError("nothing is pulled here");
    }

    @Override
    public void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        throw new AssertionError("nothing is asked here");
    }

    @Override
    public void act(Caller caller, String action, Json.Obj args, Consumer<Answer> done) {
        throw new AssertionError("nothing is done here");
    }

    @Override
    public void turnedAway(String transport, String address, ProtocolError error) {
        turnedAway.add(transport + " " + address + " " + error.code());
    }

    /** The hub's side of one stream. */
    final class Wire implements Connection {

        final Peer peer;
        final WireInfo info;
        final String how;
        final List<String> received = new CopyOnWriteArrayList<>();
        final List<Long> tooLarge = new CopyOnWriteArrayList<>();
        final AtomicInteger batches = new AtomicInteger();
        final AtomicInteger writables = new AtomicInteger();
        final AtomicInteger lives = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        volatile boolean wants = newWiresWant;
        volatile @Nullable String session;
        volatile long heartbeat;
        private Runnable whenWanted = () -> {};

        Wire(Peer peer, WireInfo info, String how) {
            this.peer = peer;
            this.info = info;
            this.how = how;
        }

        /** Says one event; a delivery when it has a cursor. */
        void say(String json, boolean resumable) {
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            Message message = new Message();
            message.head = bytes;
            message.headLength = bytes.length / 2;
            message.body = bytes;
            message.bodyOffset = bytes.length / 2;
            message.bodyLength = bytes.length - bytes.length / 2;
            message.resumable = resumable;
            message.answer = !resumable;
            peer.send(message);
        }

        void want() {
            on(() -> {
                wants = true;
                whenWanted.run();
            });
        }

        @Override
        public void receive(byte[] buffer, int offset, int length) {
            received.add(new String(buffer, offset, length, StandardCharsets.UTF_8));
            String answer = answers;
            if (answer != null) {
                say(answer, false);
            }
        }

        @Override
        public void receiveTooLarge(long length, long limit) {
            tooLarge.add(length);
        }

        @Override
        public void batchEnd() {
            batches.incrementAndGet();
            peer.flush();
        }

        @Override
        public boolean wantsInput() {
            return wants;
        }

        @Override
        public void writable() {
            writables.incrementAndGet();
        }

        @Override
        public void alive() {
            lives.incrementAndGet();
        }

        @Override
        public void fence(Runnable reached) {
            reached.run();
        }

        @Override
        public void onWantsInput(Runnable callback) {
            whenWanted = callback;
        }

        @Override
        public long heartbeatMillis() {
            return heartbeat;
        }

        @Override
        public @Nullable String sessionId() {
            return session;
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }

        @Override
        public void inputEnded() {
            throw new AssertionError("only standard input ends");
        }
    }
}
