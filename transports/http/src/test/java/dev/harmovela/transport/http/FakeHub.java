package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** A hub that does what a test tells it: answers each event by a function and shows what it was given. */
final class FakeHub implements Hub {

    final List<Wire> wires = new CopyOnWriteArrayList<>();
    final List<Ask> asked = new CopyOnWriteArrayList<>();
    final List<String> acted = new CopyOnWriteArrayList<>();
    final List<String> pulls = new CopyOnWriteArrayList<>();
    final Map<String, ProtocolError> refusedSessions = new ConcurrentHashMap<>();
    volatile Function<Json.Obj, String> answer = FakeHub::acknowledged;
    volatile Function<Ask, Answer> questions = ask -> new Answer.Found(Json.Obj.of());
    volatile Function<String, Answer> actions = action -> new Answer.Found(Json.Obj.of());
    volatile Pulled pulled = new Pulled.Events(List.of(), null);
    volatile boolean holdFences;
    volatile int stopNewWiresAfter = Integer.MAX_VALUE;
    volatile boolean wantsAgainAfterBatch;
    volatile String newSessionId;
    private final Executor executor;
    private final int maxPayload;

    FakeHub(Executor executor, int maxPayload) {
        this.executor = executor;
        this.maxPayload = maxPayload;
    }

    static String acknowledged(Json.Obj event) {
        return "{\"type\":\"event.acknowledged\",\"causation_id\":\"" + event.string("id")
                + "\",\"payload\":{\"acknowledged_event_id\":\"" + event.string("id")
                + "\",\"cursor\":\"c1\",\"task_id\":\"t1\"}}";
    }

    static String rejected(Json.Obj event, ProtocolError error) {
        return Json.Obj.builder()
                .put("type", "event.rejected")
                .put("causation_id", event.string("id"))
                .put("payload", Json.Obj.builder().put("error", error.toJson()).build())
                .build()
                .toString();
    }

    Wire wire() {
        return wires.getLast();
    }

    /** Runs on the loop and waits for it. */
    void on(Runnable task) {
        CompletableFuture.runAsync(task, executor).join();
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    public Limits limits() {
        return Limits.DEFAULT.withMaxPayloadBytes(maxPayload);
    }

    @Override
    public Connection connect(Peer peer, WireInfo info) {
        Wire wire = new Wire(peer, info, "connect");
        wires.add(wire);
        return wire;
    }

    @Override
    public Attachment attachSession(Peer peer, WireInfo info, String id, String afterEventId, String fromCursor) {
        return attach(peer, info, id, "session " + id + " after " + afterEventId + " from " + fromCursor);
    }

    @Override
    public Attachment joinSession(Peer peer, WireInfo info, String id) {
        return attach(peer, info, id, "join " + id);
    }

    @Override
    public Attachment attachSubscription(Peer peer, WireInfo info, String id, String fromCursor) {
        return attach(peer, info, id, "subscription " + id + " from " + fromCursor);
    }

    private Attachment attach(Peer peer, WireInfo info, String id, String how) {
        if (refusedSessions.containsKey(id)) {
            return new Attachment.Refused(refusedSessions.get(id));
        }
        Wire wire = new Wire(peer, info, how);
        wires.add(wire);
        return new Attachment.Attached(wire);
    }

    @Override
    public void pull(Caller caller, String id, int limit, long timeoutMillis, Consumer<Pulled> done) {
        pulls.add(id + " limit " + limit + " timeout " + timeoutMillis);
        done.accept(pulled);
    }

    @Override
    public void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        asked.add(ask);
        done.accept(questions.apply(ask));
    }

    @Override
    public void act(Caller caller, String action, Json.Obj args, Consumer<Answer> done) {
        acted.add(action + " " + args);
        done.accept(actions.apply(action));
    }

    /** The hub's side of one wire. */
    final class Wire implements Connection {
        final Peer peer;
        final WireInfo info;
        final String how;
        final List<String> received = new CopyOnWriteArrayList<>();
        final List<Integer> batches = new CopyOnWriteArrayList<>();
        final List<Long> tooLarge = new CopyOnWriteArrayList<>();
        final List<Runnable> fences = new CopyOnWriteArrayList<>();
        volatile boolean wantsInput = true;
        volatile int stopAfter = stopNewWiresAfter;
        volatile long heartbeat;
        volatile String sessionId = newSessionId;
        final AtomicInteger alive = new AtomicInteger();
        final AtomicInteger writables = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        private Runnable onWantsInput = () -> {};
        private int inBatch;

        Wire(Peer peer, WireInfo info, String how) {
            this.peer = peer;
            this.info = info;
            this.how = how;
        }

        @Override
        public void receive(byte[] buffer, int offset, int length) {
            received.add(new String(buffer, offset, length, StandardCharsets.UTF_8));
            inBatch++;
            if (received.size() >= stopAfter) {
                wantsInput = false;
            }
            String reply;
            try {
                Json value = Json.parse(buffer, offset, length);
                reply = answer.apply(value instanceof Json.Obj event ? event : Json.Obj.of());
            } catch (JsonException bad) {
                reply = rejected(Json.Obj.of(), ProtocolError.of(ErrorCode.INVALID_ENVELOPE, "not JSON"));
            }
            if (reply != null) {
                say(reply, true);
            }
        }

        @Override
        public void receiveTooLarge(long length, long limit) {
            tooLarge.add(length);
            say(rejected(Json.Obj.of(), ProtocolError.of(ErrorCode.PAYLOAD_TOO_LARGE, "too large")), true);
        }

        @Override
        public void batchEnd() {
            batches.add(inBatch);
            inBatch = 0;
            peer.flush();
            if (wantsAgainAfterBatch && !wantsInput) {
                wantsInput = true;
                stopAfter = received.size() + stopNewWiresAfter;
                onWantsInput.run();
            }
        }

        /** Sends one event as a head and a body. */
        void say(String json, boolean isAnswer) {
            Message message = new Message();
            message.answer = isAnswer;
            Json.Obj event = (Json.Obj) Json.parse(json);
            message.id = event.string("id") == null ? "" : event.string("id");
            message.type = event.string("type") == null ? "" : event.string("type");
            byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
            message.head = bytes;
            message.headLength = bytes.length / 2;
            message.body = bytes;
            message.bodyOffset = bytes.length / 2;
            message.bodyLength = bytes.length - bytes.length / 2;
            peer.send(message);
        }

        void deliver(String json) {
            on(() -> {
                say(json, false);
                peer.flush();
            });
        }

        @Override
        public boolean wantsInput() {
            return wantsInput;
        }

        void want() {
            on(() -> {
                stopAfter = Integer.MAX_VALUE;
                wantsInput = true;
                onWantsInput.run();
            });
        }

        @Override
        public void writable() {
            writables.incrementAndGet();
        }

        @Override
        public void alive() {
            alive.incrementAndGet();
        }

        @Override
        public void fence(Runnable reached) {
            if (holdFences) {
                fences.add(reached);
            } else {
                reached.run();
            }
        }

        @Override
        public void onWantsInput(Runnable callback) {
            onWantsInput = callback;
        }

        @Override
        public long heartbeatMillis() {
            return heartbeat;
        }

        @Override
        public String sessionId() {
            return sessionId;
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

    /** Everything received on all wires. */
    List<String> received() {
        List<String> all = new ArrayList<>();
        wires.forEach(wire -> all.addAll(wire.received));
        return all;
    }
}
