package dev.harmovela.transport.stdio;

import dev.harmovela.contract.Limits;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A hub that acknowledges every line that is JSON and remembers what it was given. */
final class FakeHub implements Hub, Connection, AutoCloseable {

    static final int MAX_PAYLOAD = 1024;

    final List<String> received = new CopyOnWriteArrayList<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile boolean wantsInput = true;
    volatile int stopAfter = Integer.MAX_VALUE;
    volatile Peer peer;
    volatile WireInfo info;
    volatile int answerPadding;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private volatile Runnable onWantsInput = () -> {};

    void on(Runnable task) {
        CompletableFuture.runAsync(task, executor).join();
    }

    void say(String text, boolean diagnostic) {
        Message message = new Message();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        message.head = bytes;
        message.headLength = 1;
        message.body = bytes;
        message.bodyOffset = 1;
        message.bodyLength = bytes.length - 1;
        message.diagnostic = diagnostic;
        peer.send(message);
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    public Limits limits() {
        return Limits.DEFAULT.withMaxPayloadBytes(MAX_PAYLOAD);
    }

    @Override
    public Connection connect(Peer opened, WireInfo how) {
        peer = opened;
        info = how;
        return this;
    }

    @Override
    public void receive(byte[] buffer, int offset, int length) {
        String line = new String(buffer, offset, length, StandardCharsets.UTF_8);
        received.add(line);
        if (received.size() == stopAfter) {
            wantsInput = false;
        }
        try {
            Json.parse(buffer, offset, length);
            say("{\"ack\":" + received.size() + ",\n\"pad\":\"" + "x".repeat(answerPadding) + "\"}", false);
        } catch (JsonException bad) {
            say("{\"bad\":" + received.size() + "}", true);
        }
    }

    @Override
    public void receiveTooLarge(long length, long limit) {
        calls.add("too large " + length + " of " + limit);
        say("{\"large\":" + length + "}", false);
    }

    @Override
    public void batchEnd() {
        peer.flush();
    }

    @Override
    public boolean wantsInput() {
        return wantsInput;
    }

    void want() {
        on(() -> {
            wantsInput = true;
            onWantsInput.run();
        });
    }

    @Override
    public void writable() {
        calls.add("writable");
    }

    @Override
    public void alive() {
        throw new AssertionError("a pipe has no other signs of life");
    }

    @Override
    public void fence(Runnable reached) {
        executor.execute(reached);
    }

    @Override
    public void onWantsInput(Runnable callback) {
        onWantsInput = callback;
    }

    @Override
    public long heartbeatMillis() {
        return 0;
    }

    @Override
    public String sessionId() {
        return null;
    }

    @Override
    public void closed() {
        calls.add("closed");
    }

    @Override
    public void inputEnded() {
        calls.add("input ended");
        say("{\"type\":\"session.closed\"}", false);
        peer.flush();
    }

    @Override
    public Attachment attachSession(Peer p, WireInfo i, String session, String afterEventId, String cursor) {
        throw new AssertionError("a pipe has its own session");
    }

    @Override
    public Attachment joinSession(Peer p, WireInfo i, String session) {
        throw new AssertionError("a pipe has its own session");
    }

    @Override
    public Attachment attachSubscription(Peer p, WireInfo i, String subscription, String cursor) {
        throw new AssertionError("a pipe has its own session");
    }

    @Override
    public void pull(Caller caller, String subscription, int limit, long timeout, Consumer<Pulled> done) {
        throw new AssertionError("a pipe does not poll");
    }

    @Override
    public void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        throw new AssertionError("a pipe asks by events");
    }

    @Override
    public void act(Caller caller, String action, Json.Obj args, Consumer<Answer> done) {
        throw new AssertionError("a pipe acts by events");
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
