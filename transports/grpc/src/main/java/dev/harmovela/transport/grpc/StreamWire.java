package dev.harmovela.transport.grpc;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * One {@code Stream} call: messages in, events to the hub; events of the hub out as messages (§13). Everything here
 * runs on the hub's executor; {@link Inflow} brings what gRPC says on its own thread.
 */
final class StreamWire implements Peer {

    private static final int CURSOR_LENGTH = 4096;

    private final Hub hub;
    private final GrpcConfig config;
    private final ScheduledExecutorService loop;
    private final Outflow out;
    private final Alarm opening;
    private final Alarm stall;
    private final Alarm life;
    private @Nullable Connection connection;
    private @Nullable Inflow inflow;
    private @Nullable String startCursor;
    private boolean opened;
    /** The hub was told that there is no room. */
    private boolean full;
    /** Nothing more goes to the hub or comes from it. */
    private boolean closing;

    private boolean hubKnowsItIsGone;

    StreamWire(Hub hub, ServerCall<Incoming, byte[]> call, GrpcConfig config, ScheduledExecutorService loop) {
        this.hub = hub;
        this.config = config;
        this.loop = loop;
        this.out = new Outflow(call, config.limits().queueBytes());
        this.opening = new Alarm(loop, hub.executor(), this::notOpened);
        this.stall = new Alarm(loop, hub.executor(), this::stalled);
        this.life = new Alarm(loop, hub.executor(), this::alive);
    }

    /** Begins: a wire of its own, or the one of a session that the metadata name. */
    void open(Caller caller, Metadata headers, Inflow from) {
        inflow = from;
        WireInfo info = new WireInfo(Doorway.TRANSPORT, caller, WireInfo.Kind.DUPLEX);
        String session = Keys.value(headers, Keys.SESSION);
        startCursor = Keys.value(headers, Keys.CURSOR);
        if (session == null) {
            out.begin();
            begin(hub.connect(this, info), from);
            opening.in(config.times().openMillis());
            return;
        }
        switch (hub.attachSession(this, info, session, null, startCursor)) {
            case Hub.Attachment.Attached(Connection attached) -> {
                out.begin();
                opened = true;
                begin(attached, from);
            }
            case Hub.Attachment.Refused(ProtocolError error) -> {
                closing = true;
                hubKnowsItIsGone = true;
                out.end(Statuses.ofAttachment(error), Statuses.trailers(error));
            }
        }
    }

    private void begin(Connection attached, Inflow from) {
        connection = attached;
        // never from within a call of the hub
        attached.onWantsInput(() -> loop.execute(() -> hub.executor().execute(from::drain)));
        from.begin();
        signsOfLife();
        if (closing) {
            gone();
        }
    }

    // --- what gRPC says

    boolean wantsInput() {
        return !closing && !out.isCongested() && wire().wantsInput();
    }

    boolean isClosing() {
        return closing;
    }

    void receive(byte[] json) {
        int limit = hub.limits().maxEventBytes();
        if (json.length > limit) {
            tooLarge(json.length);
        } else {
            wire().receive(json, 0, json.length);
        }
    }

    /** Answers what was sent before, and that message, and ends the stream. */
    void tooLarge(long length) {
        if (closing || !Objects.requireNonNull(inflow).stop()) {
            return;
        }
        int limit = hub.limits().maxEventBytes();
        wire().receiveTooLarge(length, limit);
        wire().batchEnd();
        wire().fence(() -> close(CloseReason.TOO_LARGE, "a message may have " + limit + " bytes"));
    }

    void batchEnd() {
        if (!hubKnowsItIsGone) {
            wire().batchEnd();
        }
    }

    /** The client says nothing more: it gets its answers, and the stream ends in good order. */
    void halfClosed() {
        if (!closing) {
            wire().fence(() -> close(CloseReason.NORMAL, ""));
        }
    }

    /** There may be room again. */
    void ready() {
        boolean held = out.isCongested();
        out.ready();
        if (held && !out.isCongested() && inflow != null) {
            inflow.drain();
        }
        if (out.isWaiting()) {
            stall.in(config.times().stallMillis());
            return;
        }
        stall.off();
        if (full && !closing && out.isReady()) {
            full = false;
            wire().writable();
        }
    }

    /** The call is over, whoever ended it. */
    void gone() {
        closing = true;
        opening.off();
        stall.off();
        life.off();
        out.gone();
        if (!hubKnowsItIsGone && connection != null) {
            hubKnowsItIsGone = true;
            connection.closed();
        }
    }

    // --- what the hub says

    @Override
    public boolean writable() {
        if (closing) {
            return false;
        }
        if (out.isReady()) {
            return true;
        }
        full = true;
        stall.start(config.times().stallMillis());
        return false;
    }

    @Override
    public void send(Message message) {
        if (closing) {
            return;
        }
        byte[] whole = Payloads.encode(message);
        if (out.overflowsWith(whole.length)) {
            close(CloseReason.SLOW_READER, "more than " + config.limits().queueBytes() + " bytes wait for this reader");
            return;
        }
        out.send(whole, message.resumable ? Outflow.Place.RESUMABLE : Outflow.Place.NONE);
        if (out.isWaiting()) {
            stall.start(config.times().stallMillis());
        }
    }

    @Override
    public void flush() {
        // each message was handed to gRPC when it was sent
        if (connection != null && !closing && !opened && connection.sessionId() != null) {
            opened = true;
            opening.off();
        }
        signsOfLife();
    }

    @Override
    public void close(CloseReason reason, String text) {
        if (closing) {
            return;
        }
        closing = true;
        opening.off();
        life.off();
        Status status = Statuses.of(reason, text);
        if (reason == CloseReason.SLOW_READER) {
            finish(status, reason, text);
            return;
        }
        stall.in(config.times().stallMillis());
        out.afterAll(() -> finish(status, reason, text));
    }

    private void finish(Status status, CloseReason reason, String text) {
        stall.off();
        Metadata trailers = new Metadata();
        if (reason != CloseReason.NORMAL) {
            ProtocolError error =
                    ProtocolError.because(Statuses.code(reason), reason.name().toLowerCase(Locale.ROOT), text);
            trailers.put(Keys.ERROR, Keys.printable(error.toJson().toString()));
        }
        Keys.put(trailers, Keys.SESSION, connection == null ? null : connection.sessionId());
        Keys.put(trailers, Keys.CURSOR, cursor());
        out.end(status, trailers);
        // the hub may be calling right now
        loop.execute(() -> hub.executor().execute(this::gone));
    }

    /** Where the reader goes on: behind the last delivery that it was sent. */
    private @Nullable String cursor() {
        byte[] last = out.lastResumable();
        if (last == null) {
            return startCursor;
        }
        try {
            byte[] json = Payloads.decode(last);
            Json.Obj delivery =
                    Json.parse(json, 0, json.length) instanceof Json.Obj event ? event.object("delivery") : null;
            String cursor = delivery == null ? null : delivery.string("cursor");
            return cursor == null || cursor.length() > CURSOR_LENGTH ? startCursor : cursor;
        } catch (JsonException impossible) {
            return startCursor;
        }
    }

    // --- time

    private void notOpened() {
        if (!closing && !opened) {
            closing = true;
            ProtocolError error = ProtocolError.of(ErrorCode.TIMEOUT, "no session was opened in time");
            out.end(Statuses.of(error), Statuses.trailers(error));
            gone();
        }
    }

    private void stalled() {
        if (closing) {
            out.discard();
            finish(Status.RESOURCE_EXHAUSTED, CloseReason.SLOW_READER, "the reader did not take the end");
        } else {
            close(CloseReason.SLOW_READER, "the reader took nothing for too long; resume from your cursor");
        }
    }

    /** gRPC probes the connection and ends it when nobody answers: a call that is there is a peer that lives. */
    private void signsOfLife() {
        if (!closing && connection != null && connection.heartbeatMillis() > 0) {
            life.start(connection.heartbeatMillis());
        }
    }

    private void alive() {
        if (!closing) {
            wire().alive();
            signsOfLife();
        }
    }

    private Connection wire() {
        return Objects.requireNonNull(connection);
    }
}
