package dev.harmovela.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one connection still has to send. Messages of a batch are encoded into one pooled buffer that exists from
 * the first of them to {@link #flush()}, so that an idle connection holds none. On the loop only.
 */
final class Outbox {

    private static final int PIECE = 64 * 1024;
    private static final int FIRST_SIZE = 1024;

    private final ChannelHandlerContext context;
    private final HttpLimits limits;
    private final Function<ByteBuf, Object> wrap;
    private @Nullable ByteBuf open;
    private int expected = FIRST_SIZE;
    private boolean held;

    Outbox(ChannelHandlerContext context, HttpLimits limits, Function<ByteBuf, Object> wrap) {
        this.context = context;
        this.limits = limits;
        this.wrap = wrap;
    }

    /** Bytes that were queued and have not left for the operating system. */
    long pending() {
        return (open == null ? 0 : open.readableBytes()) + handedOver();
    }

    /** Whether there is room for deliveries. */
    boolean writable() {
        return pending() < limits.highWatermark();
    }

    /** Whether {@code bytes} more would break the hard cap. */
    boolean overflowsWith(int bytes) {
        return pending() + bytes > limits.hardCap();
    }

    /** A buffer with room for {@code bytes} more, to append to. */
    ByteBuf room(int bytes) {
        ByteBuf buffer = open;
        if (buffer != null && buffer.readableBytes() + bytes > PIECE && buffer.isReadable() && !held) {
            var _ = context.write(wrap.apply(buffer), context.voidPromise());
            buffer = null;
        }
        if (buffer == null) {
            buffer = context.alloc().buffer(Math.max(bytes, expected));
        }
        open = buffer;
        buffer.ensureWritable(bytes);
        return buffer;
    }

    /** Puts everything on the wire. */
    void flush() {
        ByteBuf buffer = open;
        open = null;
        held = false;
        if (buffer == null) {
            context.flush();
            return;
        }
        expected = Math.clamp(buffer.readableBytes(), FIRST_SIZE, PIECE);
        var _ = context.writeAndFlush(wrap.apply(buffer), context.voidPromise());
    }

    /** Lets nothing out before {@link #flush()}: the head of the response is not written yet. */
    void hold() {
        held = true;
    }

    /** Forgets what was not handed over yet. */
    void discard() {
        if (open != null) {
            open.release();
            open = null;
        }
    }

    /** What is being written now, or null. */
    @Nullable Object head() {
        ChannelOutboundBuffer out = outbound(context.channel());
        return out == null ? null : out.current();
    }

    /** How much of {@link #head()} has left. */
    long headProgress() {
        ChannelOutboundBuffer out = outbound(context.channel());
        return out == null ? 0 : out.currentProgress();
    }

    private long handedOver() {
        ChannelOutboundBuffer out = outbound(context.channel());
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    private static @Nullable ChannelOutboundBuffer outbound(Channel channel) {
        return channel.unsafe().outboundBuffer();
    }
}
