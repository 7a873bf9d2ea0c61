package dev.harmovela.conformance;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One fresh conversation with a target, in a space of its own (D24). Used by one thread at a time.
 *
 * <p>Implementations usually hold an {@link Inbox} that the transport fills from its own threads.
 */
public interface Exchange extends AutoCloseable {

    /** Sends one line, unchanged and without an end of line; what it leads to is received later. */
    void send(String line) throws IOException;

    /**
     * Takes the next line of the target.
     *
     * @param timeoutMillis how long to wait for it, 0 to look only
     * @return null when none came in time
     * @throws IOException when the target has ended the conversation; the message says how
     */
    @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException;

    /** The session that lines of the runner itself must name, or null where the conversation implies it (D7). */
    default @Nullable String sessionId() {
        return null;
    }

    /** Ends the conversation and frees what it held; waits for a process no longer than a few seconds. */
    @Override
    void close();
}
