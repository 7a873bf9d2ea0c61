package dev.harmovela.transport.http;

import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket after its handshake: frames in, events to the hub; events of the hub out as frames (§13). It takes
 * the place of the HTTP codec in the pipeline. On the loop only.
 */
final class WebSocketWire extends ChannelInboundHandlerAdapter implements Peer, FrameDecoder.Sink {

    private static final int HEADER_ROOM = 10;
    private static final int MAX_CLOSE_TEXT = 123;

    private final Hub hub;
    private final WireInfo info;
    private final HttpConfig config;
    private final FrameDecoder decoder;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Outbox outbox;
    private @Nullable StallWatch stall;
    private @Nullable Deadline timer;
    private @Nullable Deadline pinger;
    private @Nullable Connection connection;
    private @Nullable ByteBuf rest;
    private boolean received;
    private boolean opened;
    private boolean paused;
    /** Nothing more goes to the hub. */
    private boolean inputEnded;
    /** Our close frame was written. */
    private boolean closing;

    private boolean hubKnowsItIsGone;

    WebSocketWire(Hub hub, WireInfo info, HttpConfig config, FrameDecoder.Scratch scratch) {
        this.hub = hub;
        this.info = info;
        this.config = config;
        this.decoder = new FrameDecoder(hub.limits().maxEventBytes(), scratch, this);
    }

    // --- Netty

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        outbox = new Outbox(added, config.limits(), buffer -> buffer);
        stall = new StallWatch(
                added.channel(),
                outbox,
                config.times().stallMillis(),
                this::roomAgain,
                () -> close(CloseReason.SLOW_READER, "the reader took nothing for too long; resume from your cursor"));
        timer = new Deadline(added.channel().eventLoop(), this::timeUp);
        timer.in(config.times().openMillis());
        Connection wire = hub.connect(this, info);
        connection = wire;
        // never from within a call of the hub
        wire.onWantsInput(() -> added.channel().eventLoop().execute(this::resume));
    }

    @Override
    public void channelRead(ChannelHandlerContext on, Object message) {
        if (!(message instanceof ByteBuf incoming)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (inputEnded) {
            incoming.release();
            return;
        }
        ByteBuf buffer = incoming;
        if (rest != null) {
            rest.writeBytes(incoming);
            incoming.release();
            buffer = rest;
            rest = null;
        }
        decode(buffer);
    }

    private void decode(ByteBuf buffer) {
        try {
            decoder.decode(buffer);
            if (paused()) {
                // there may be whole frames left, so reading goes on with them and not with the socket
                pause();
            }
        } finally {
            keep(buffer);
        }
    }

    /** Keeps the beginning of a frame in a buffer of its own size: the receive buffer is much larger. */
    private void keep(ByteBuf buffer) {
        if (!buffer.isReadable() || inputEnded) {
            buffer.release();
            return;
        }
        if (buffer.readerIndex() == 0 && buffer.writableBytes() < buffer.readableBytes()) {
            rest = buffer;
            return;
        }
        rest = on().alloc().buffer(buffer.readableBytes() * 2);
        rest.writeBytes(buffer);
        buffer.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext on) {
        endBatch();
    }

    private void endBatch() {
        if (received) {
            received = false;
            wire().batchEnd();
        }
        if (!wire().wantsInput() && !inputEnded) {
            pause();
        }
    }

    private void pause() {
        if (!paused) {
            paused = true;
            on().channel().config().setAutoRead(false);
        }
    }

    /** The hub has caught up: first what was read already, then the socket. */
    private void resume() {
        if (!paused || hubKnowsItIsGone) {
            return;
        }
        paused = false;
        ByteBuf buffer = rest;
        if (buffer != null) {
            rest = null;
            decode(buffer);
            endBatch();
        }
        if (!paused) {
            on().channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext on) {
        watch().changed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext on) {
        gone();
        on.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext on) {
        gone();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext on, Throwable cause) {
        Log.connectionFailed(on.channel(), cause);
        if (cause instanceof IOException || closing) {
            var _ = on.close();
        } else {
            close(CloseReason.INTERNAL, "internal error");
        }
    }

    private void gone() {
        if (hubKnowsItIsGone) {
            return;
        }
        hubKnowsItIsGone = true;
        inputEnded = true;
        closing = true;
        watch().cancel();
        Objects.requireNonNull(timer).cancel();
        if (pinger != null) {
            pinger.cancel();
        }
        out().discard();
        if (rest != null) {
            rest.release();
            rest = null;
        }
        wire().closed();
    }

    // --- frames in

    @Override
    public void text(byte[] bytes, int offset, int length) {
        if (closing) {
            return;
        }
        received = true;
        wire().receive(bytes, offset, length);
    }

    @Override
    public void ping(byte[] bytes, int length) {
        if (!closing) {
            writeHeader(out().room(length + HEADER_ROOM), FrameDecoder.OP_PONG, length)
                    .writeBytes(bytes, 0, length);
            flush();
        }
    }

    @Override
    public void pong() {
        if (!inputEnded) {
            wire().alive();
        }
    }

    @Override
    public void close(int code) {
        if (!closing) {
            writeClose(code == FrameDecoder.NO_CODE ? CloseCodes.NORMAL : code, "");
        }
        inputEnded = true;
        hangUp();
    }

    @Override
    public void violation(int closeCode, String text) {
        inputEnded = true;
        if (closing) {
            hangUp();
        } else {
            writeClose(closeCode, text);
        }
    }

    @Override
    public void tooLarge(long length) {
        inputEnded = true;
        if (closing) {
            return;
        }
        int limit = hub.limits().maxEventBytes();
        wire().receiveTooLarge(length, limit);
        wire().batchEnd();
        wire().fence(() -> close(CloseReason.TOO_LARGE, "a message may have " + limit + " bytes"));
    }

    @Override
    public boolean paused() {
        if (closing || inputEnded) {
            return false;
        }
        if (!wire().wantsInput()) {
            pause();
        }
        return paused;
    }

    // --- events out

    @Override
    public boolean writable() {
        if (closing) {
            return false;
        }
        if (out().writable()) {
            return true;
        }
        watch().full();
        return false;
    }

    @Override
    public void send(Message message) {
        if (closing) {
            return;
        }
        int length = message.length();
        if (out().overflowsWith(length)) {
            out().discard();
            close(CloseReason.SLOW_READER, "more than " + config.limits().hardCap() + " bytes wait for this reader");
            return;
        }
        ByteBuf buffer = writeHeader(out().room(length + HEADER_ROOM), FrameDecoder.OP_TEXT, length);
        buffer.writeBytes(message.head, 0, message.headLength);
        buffer.writeBytes(message.body, message.bodyOffset, message.bodyLength);
    }

    @Override
    public void flush() {
        out().flush();
        watch().changed();
        Connection wire = connection;
        if (wire == null || closing) {
            return;
        }
        if (!opened && wire.sessionId() != null) {
            opened = true;
            Objects.requireNonNull(timer).off();
        }
        if (opened && pinger == null && wire.heartbeatMillis() > 0) {
            pinger = new Deadline(on().channel().eventLoop(), this::pingNow);
            pinger.in(wire.heartbeatMillis());
        }
    }

    @Override
    public void close(CloseReason reason, String text) {
        if (!closing) {
            writeClose(CloseCodes.of(reason), text);
        }
    }

    /** Sends our close frame and waits, for a while, for the peer's. */
    private void writeClose(int code, String text) {
        closing = true;
        byte[] reason = cut(text);
        ByteBuf buffer =
                writeHeader(out().room(reason.length + 2 + HEADER_ROOM), FrameDecoder.OP_CLOSE, reason.length + 2);
        buffer.writeShort(code).writeBytes(reason);
        out().flush();
        if (pinger != null) {
            pinger.cancel();
        }
        Deadline last = Objects.requireNonNull(timer);
        last.in(config.times().closeGraceMillis());
        if (paused) {
            paused = false;
            on().channel().config().setAutoRead(true);
        }
        if (inputEnded) {
            halfClose();
        }
    }

    /**
     * Tells the peer that nothing follows; what it still sends is read and dropped, so that it sees our close
     * frame.
     */
    private void halfClose() {
        on().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> {
            if (done.isSuccess()) {
                Tls.endOutput(on().channel());
            }
        });
    }

    /** Closes after what was written has left. */
    private void hangUp() {
        on().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    private void timeUp() {
        if (closing) {
            var _ = on().close();
        } else {
            close(CloseReason.UNAUTHORIZED, "no session was opened in time");
        }
    }

    private void roomAgain() {
        if (!closing) {
            wire().writable();
        }
    }

    // --- signs of life

    private void pingNow() {
        long interval = wire().heartbeatMillis();
        Deadline next = Objects.requireNonNull(pinger);
        if (closing || interval <= 0) {
            pinger = null;
            return;
        }
        next.in(interval);
        writeHeader(out().room(HEADER_ROOM), FrameDecoder.OP_PING, 0);
        flush();
    }

    private static ByteBuf writeHeader(ByteBuf buffer, int opcode, int length) {
        buffer.writeByte(0x80 | opcode);
        if (length < 126) {
            return buffer.writeByte(length);
        }
        if (length <= 0xFFFF) {
            return buffer.writeByte(126).writeShort(length);
        }
        return buffer.writeByte(127).writeLong(length);
    }

    /** As many whole characters as a close frame holds. */
    private static byte[] cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int end = Math.min(bytes.length, MAX_CLOSE_TEXT);
        while (end < bytes.length && end > 0 && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
    }

    private Connection wire() {
        return Objects.requireNonNull(connection);
    }

    private ChannelHandlerContext on() {
        return Objects.requireNonNull(context);
    }

    private Outbox out() {
        return Objects.requireNonNull(outbox);
    }

    private StallWatch watch() {
        return Objects.requireNonNull(stall);
    }
}
