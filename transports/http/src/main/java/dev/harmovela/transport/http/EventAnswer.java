package dev.harmovela.transport.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;

/**
 * An answer of server-sent events that a handler of another module writes (§13). On the loop only.
 *
 * <p>Its writer never waits: a reader that takes too little is cut when its bounded buffer is full.
 */
public final class EventAnswer implements Exchange.Stream {

    private static final byte[] HEARTBEAT = ": heartbeat\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Exchange exchange;
    private final HttpConfig config;
    private final Outbox outbox;
    private final StallWatch stall;
    private final Deadline heartbeat;
    private final Runnable onClosed;
    private boolean ended;
    private boolean told;

    private EventAnswer(Exchange exchange, HttpConfig config, Runnable onClosed) {
        this.exchange = exchange;
        this.config = config;
        this.onClosed = onClosed;
        this.outbox = new Outbox(exchange.context(), config.limits(), DefaultHttpContent::new);
        this.stall = new StallWatch(
                exchange.context().channel(), outbox, config.times().stallMillis(), () -> {}, this::cut);
        this.heartbeat = new Deadline(exchange.context().channel().eventLoop(), this::beat);
    }

    /**
     * Begins the answer.
     *
     * @param onClosed runs once when the connection is gone, whoever ended it
     */
    static EventAnswer begin(Exchange exchange, HttpConfig config, Runnable onClosed) {
        EventAnswer answer = new EventAnswer(exchange, config, onClosed);
        if (exchange.stream(answer)) {
            answer.heartbeat.in(config.times().streamHeartbeatMillis());
            answer.outbox.flush();
        } else {
            answer.ended = true;
            answer.closed();
        }
        return answer;
    }

    /** Sends one event; {@code data} has no line ends. Nothing happens after the end. */
    public void event(long id, String data) {
        write("id: " + id + "\ndata: " + data + "\n\n");
    }

    /** Sends a comment, which readers pass over. */
    public void comment(String text) {
        write(": " + text + "\n\n");
    }

    private void write(String text) {
        if (ended) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (outbox.overflowsWith(bytes.length)) {
            cut();
            return;
        }
        ByteBuf buffer = outbox.room(bytes.length);
        buffer.writeBytes(bytes);
        outbox.flush();
        if (!outbox.writable()) {
            stall.full();
        }
        stall.changed();
    }

    /** Ends the answer after what was sent. */
    public void end() {
        if (!ended) {
            ended = true;
            heartbeat.cancel();
            stall.cancel();
            exchange.endStream();
        }
    }

    private void cut() {
        if (!ended) {
            ended = true;
            heartbeat.cancel();
            stall.cancel();
            outbox.discard();
            var _ = exchange.context().close();
        }
    }

    private void beat() {
        if (!ended) {
            if (outbox.writable()) {
                outbox.room(HEARTBEAT.length).writeBytes(HEARTBEAT);
                outbox.flush();
            }
            heartbeat.in(config.times().streamHeartbeatMillis());
        }
    }

    @Override
    public void writabilityChanged() {
        stall.changed();
    }

    @Override
    public void closed() {
        if (!told) {
            told = true;
            ended = true;
            heartbeat.cancel();
            stall.cancel();
            outbox.discard();
            onClosed.run();
        }
    }
}
