package dev.harmovela.conformance;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a target sent and nobody has taken yet. Filled from any thread, emptied by one.
 *
 * <p>Holds at most {@link #CAPACITY} lines; a target that sends more than that unasked has ended its conversation.
 */
public final class Inbox {

    /** Lines held at most. */
    public static final int CAPACITY = 100_000;

    private sealed interface Entry {}

    private record Line(Incoming incoming) implements Entry {}

    private record End(String reason) implements Entry {}

    private final LinkedBlockingQueue<Entry> entries = new LinkedBlockingQueue<>();

    /** Adds a line. */
    public void add(Incoming incoming) {
        entries.add(entries.size() < CAPACITY ? new Line(incoming) : new End("the target sent too much unasked"));
    }

    /** Says that nothing more will come, and why. */
    public void end(String reason) {
        entries.add(new End(reason));
    }

    /** Takes the next line; see {@link Exchange#receive}. */
    public @Nullable Incoming take(long timeoutMillis) throws IOException, InterruptedException {
        return switch (entries.poll(timeoutMillis, TimeUnit.MILLISECONDS)) {
            case null -> null;
            case Line line -> line.incoming();
            case End end -> {
                entries.add(end);
                throw new IOException(end.reason());
            }
        };
    }
}
