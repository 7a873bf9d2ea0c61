package dev.harmovela.conformance.a2a.wire;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A stream of server-sent events, read by one thread. */
public interface EventStream extends AutoCloseable {

    /** What {@link #next} found. */
    enum Kind {
        /** An event with data. */
        DATA,
        /** The peer closed the stream. */
        END,
        /** The connection broke, or a line was longer than the kit reads. */
        CUT,
        /** Nothing came in time. */
        SILENCE
    }

    /**
     * One step of a stream.
     *
     * @param kind what it is
     * @param id the event's {@code id}, or null
     * @param data the event's data; empty unless it is {@link Kind#DATA}
     */
    record Step(Kind kind, @Nullable String id, String data) {}

    /** The next step; waits no longer than {@code patience}. Comments are passed over. */
    Step next(Duration patience);

    /** Gives the stream up; the peer sees the connection close. */
    @Override
    void close();
}
