package dev.harmovela.transport.http;

import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One stream of server-sent events (§13). Deliveries and events flow; direct answers belong to the POST that asked
 * (D39). A comment comes at least every heartbeat interval. On the loop only.
 */
final class SseWire implements Peer, Exchange.Stream {

    private static final byte[] ID = ascii("id: ");
    private static final byte[] EVENT = ascii("event: ");
    private static final byte[] DATA = ascii("data: ");
    private static final byte[] HEARTBEAT = ascii(": heartbeat\n\n");
    private static final int FIELD_ROOM = 32;

    private final Exchange exchange;
    private final HttpConfig config;
    private final Outbox outbox;
    private final StallWatch stall;
    private final Deadline heartbeat;
    private @Nullable Connection connection;
    private boolean begun;
    private boolean ended;
    private boolean hubKnowsItIsGone;

    SseWire(Exchange exchange, HttpConfig config) {
        this.exchange = exchange;
        this.config = config;
        ChannelHandlerContext context = exchange.context();
        this.outbox = new Outbox(context, config.limits(), DefaultHttpContent::new);
        this.stall = new StallWatch(
                context.channel(),
                outbox,
                config.times().stallMillis(),
                this::roomAgain,
                () -> close(CloseReason.SLOW_READER, "the reader took nothing for too long"));
        this.heartbeat = new Deadline(context.channel().eventLoop(), this::beat);
        outbox.hold();
    }

    /**
     * The hub has attached this wire: only now the response begins, so that a refusal could still be told by its
     * status.
     */
    void begin(Connection attached) {
        connection = attached;
        if (!exchange.stream(this)) {
            closed();
            return;
        }
        begun = true;
        byte[] retry = ascii("retry: " + Admission.streamRetryMillis() + "\n\n");
        var _ = exchange.context().write(new DefaultHttpContent(Unpooled.wrappedBuffer(retry)));
        flush();
        if (ended) {
            exchange.endStream();
            return;
        }
        heartbeat.in(config.times().streamHeartbeatMillis());
        stall.full();
        stall.changed();
    }

    // --- what the hub says

    @Override
    public boolean writable() {
        if (ended || !begun) {
            return false;
        }
        if (outbox.writable()) {
            return true;
        }
        stall.full();
        return false;
    }

    @Override
    public void send(Message message) {
        if (ended || message.answer) {
            return;
        }
        int length = message.length() + message.type.length() + 3 * message.id.length() + FIELD_ROOM;
        if (outbox.overflowsWith(length)) {
            outbox.discard();
            close(CloseReason.SLOW_READER, "too much waits for this reader");
            return;
        }
        ByteBuf buffer = outbox.room(length);
        if (isOneLine(message.id)) {
            buffer.writeBytes(ID);
            ByteBufUtil.writeUtf8(buffer, message.id);
            buffer.writeByte('\n');
        }
        buffer.writeBytes(EVENT);
        ByteBufUtil.writeUtf8(buffer, message.type);
        buffer.writeByte('\n').writeBytes(DATA);
        int from = buffer.writerIndex();
        buffer.writeBytes(message.head, 0, message.headLength);
        buffer.writeBytes(message.body, message.bodyOffset, message.bodyLength);
        joinLines(buffer, from);
        buffer.writeByte('\n').writeByte('\n');
    }

    @Override
    public void flush() {
        if (begun) {
            outbox.flush();
            stall.changed();
        }
    }

    @Override
    public void close(CloseReason reason, String text) {
        if (ended) {
            return;
        }
        ended = true;
        heartbeat.cancel();
        byte[] line = ascii(": closed " + reason.name().toLowerCase(Locale.ROOT) + "\n\n");
        outbox.room(line.length).writeBytes(line);
        flush();
        if (begun) {
            exchange.endStream();
        }
    }

    // --- what happens to the connection

    @Override
    public void writabilityChanged() {
        stall.changed();
    }

    @Override
    public void closed() {
        if (hubKnowsItIsGone) {
            return;
        }
        hubKnowsItIsGone = true;
        ended = true;
        heartbeat.cancel();
        stall.cancel();
        outbox.discard();
        if (connection != null) {
            connection.closed();
        }
    }

    /** The hub refused the wire: nothing was begun. */
    void refused() {
        ended = true;
        heartbeat.cancel();
        stall.cancel();
        outbox.discard();
    }

    private void roomAgain() {
        if (!ended) {
            Objects.requireNonNull(connection).writable();
        }
    }

    private void beat() {
        if (ended) {
            return;
        }
        if (outbox.writable()) {
            outbox.room(HEARTBEAT.length).writeBytes(HEARTBEAT);
            flush();
        }
        heartbeat.in(config.times().streamHeartbeatMillis());
    }

    /** Line ends in an event's JSON are white space between its tokens; a data line may not hold any. */
    static void joinLines(ByteBuf buffer, int from) {
        int at = from;
        while (at < buffer.writerIndex()) {
            int hit = buffer.forEachByte(at, buffer.writerIndex() - at, b -> b != '\n' && b != '\r');
            if (hit < 0) {
                return;
            }
            buffer.setByte(hit, ' ');
            at = hit + 1;
        }
    }

    private static boolean isOneLine(String id) {
        return id.indexOf('\n') < 0 && id.indexOf('\r') < 0 && id.indexOf('\0') < 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
