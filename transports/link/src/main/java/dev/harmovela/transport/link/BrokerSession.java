package dev.harmovela.transport.link;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One connection to a broker. {@link #read}, {@link #settle}, {@link #idle} and {@link #lag} are called on the
 * link's reading
 * thread only, {@link #write} on its writing thread only, {@link #close} once on any. Any {@link LinkFailed} ends
 * it: what is not
 * settled by then comes again in the next one.
 */
public interface BrokerSession extends AutoCloseable {

    /**
     * Hands out what has arrived, waiting up to {@code waitMillis} for the first. What was in hand when an earlier
     * session ended comes first.
     */
    List<Inbound> read(int most, long waitMillis) throws LinkFailed, InterruptedException;

    /** The hub has them, or will never want them: they do not come again. In the order of reading. */
    void settle(List<Inbound> done) throws LinkFailed, InterruptedException;

    /** Keeps the connection alive while nothing is read; waits up to {@code waitMillis}. */
    void idle(long waitMillis) throws LinkFailed, InterruptedException;

    /** How much is there to be read, -1 when nobody knows. */
    long lag() throws LinkFailed, InterruptedException;

    /**
     * Begins to write all of them, in their order.
     *
     * @return one for each: completes when the broker has it, exceptionally with {@link WriteRefused} when it
     *     never will, with anything
     *     else when the session is at its end
     */
    List<CompletableFuture<Void>> write(List<Outbound> messages);

    @Override
    void close();
}
