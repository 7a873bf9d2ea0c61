package dev.harmovela.testkit.sim;

import dev.harmovela.harness.HarmovelaHub;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Failures that a hub caught and logged: in a simulation nothing may fail but the disk. Kept per thread. */
final class HubErrors extends Handler {

    private static final Logger LOG = Logger.getLogger(HarmovelaHub.class.getName());
    private static final ThreadLocal<@Nullable List<Throwable>> SEEN = new ThreadLocal<>();

    static {
        LOG.addHandler(new HubErrors());
    }

    private HubErrors() {}

    /** Begins to listen to hubs that run on this thread. */
    static void listen() {
        SEEN.set(new ArrayList<>());
    }

    /** The first failure since {@link #listen()}, or null. */
    static @Nullable Throwable first() {
        List<Throwable> seen = SEEN.get();
        return seen == null || seen.isEmpty() ? null : seen.get(0);
    }

    @Override
    public void publish(LogRecord entry) {
        List<Throwable> seen = SEEN.get();
        Throwable thrown = entry.getThrown();
        String text = String.valueOf(entry.getMessage());
        if (seen != null && thrown != null) {
            seen.add(thrown);
        } else if (seen != null && text.contains("does not fold")) {
            seen.add(new IllegalStateException(text));
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
