package dev.harmovela.transport.http;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request's events on their way to the hub and the answers on their way back: feeds line after line as fast as
 * the hub wants them, then waits behind the last answer. On the loop only.
 */
final class Submission implements Peer {

    private final byte[] body;
    private final List<Lines.Span> lines;
    private final int limit;
    private final Executor later;
    private final Consumer<Submission> done;
    private final List<Json.Obj> answers = new ArrayList<>();
    private @Nullable Connection connection;
    private @Nullable String sessionId;
    private int next;
    private boolean inPump;
    private boolean fenced;
    private boolean ended;
    private boolean cutShort;

    /**
     * @param limit bytes that one event may have
     * @param later runs a task on the loop, but never within the call
     * @param done runs once, after the last answer, or earlier when the hub ends the wire
     */
    Submission(byte[] body, List<Lines.Span> lines, int limit, Executor later, Consumer<Submission> done) {
        this.body = body;
        this.lines = lines;
        this.limit = limit;
        this.later = later;
        this.done = done;
    }

    void begin(Connection opened) {
        connection = opened;
        opened.onWantsInput(() -> later.execute(this::pump));
        pump();
    }

    /** The client left: what was taken stays taken, the rest is not sent, nobody waits for the answers. */
    void abandon() {
        if (!ended) {
            ended = true;
            wire().closed();
        }
    }

    private void pump() {
        if (inPump || fenced || ended) {
            return;
        }
        inPump = true;
        while (next < lines.size() && !ended && wire().wantsInput()) {
            Lines.Span line = lines.get(next++);
            if (line.length() > limit) {
                wire().receiveTooLarge(line.length(), limit);
            } else {
                wire().receive(body, line.offset(), line.length());
            }
        }
        inPump = false;
        if (ended) {
            return;
        }
        wire().batchEnd();
        if (next == lines.size() && !fenced) {
            fenced = true;
            wire().fence(() -> later.execute(this::finish));
        }
    }

    private void finish() {
        if (ended) {
            return;
        }
        ended = true;
        sessionId = wire().sessionId();
        wire().closed();
        done.accept(this);
    }

    // --- what the hub says

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void send(Message message) {
        if (message.answer && !ended) {
            answers.add((Json.Obj) Json.parse(message.toByteArray(), 0, message.length()));
        }
    }

    @Override
    public void flush() {
        // answers go out together, as the body of one response
    }

    @Override
    public void close(CloseReason reason, String text) {
        if (!ended) {
            cutShort = next < lines.size() || !fenced;
            later.execute(this::finish);
        }
    }

    // --- the outcome

    /** Answers in the order in which the hub gave them. */
    List<Json.Obj> answers() {
        return answers;
    }

    /** The session that the events opened or belong to, if there is exactly one. */
    @Nullable String sessionId() {
        return sessionId;
    }

    /** Whether the hub ended the wire before it had taken all lines. */
    boolean cutShort() {
        return cutShort;
    }

    private Connection wire() {
        return Objects.requireNonNull(connection);
    }
}
