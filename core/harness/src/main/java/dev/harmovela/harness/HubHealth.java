package dev.harmovela.harness;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How the hub is; readable from any thread. */
public final class HubHealth {

    private final Map<String, String> problems = new ConcurrentHashMap<>();
    private final Map<String, String> warnings = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> fatal = new AtomicReference<>();
    private volatile Consumer<Throwable> onFatal = _ -> {};

    /** False once the log failed: nothing may be believed any more and the process has to end. */
    public boolean isLive() {
        return fatal.get() == null;
    }

    /** Whether new work is taken. */
    public boolean isReady() {
        return isLive() && problems.isEmpty();
    }

    /** What is wrong, by part. */
    public Map<String, String> problems() {
        return new TreeMap<>(problems);
    }

    /** What is wrong without keeping the hub from its work, by part. */
    public Map<String, String> warnings() {
        return new TreeMap<>(warnings);
    }

    /** Called once when the log fails. */
    public void onFatal(Consumer<Throwable> handler) {
        onFatal = handler;
        Throwable already = fatal.get();
        if (already != null) {
            handler.accept(already);
        }
    }

    void fatal(Throwable cause) {
        if (fatal.compareAndSet(null, cause)) {
            problems.put("journal", String.valueOf(cause.getMessage()));
            onFatal.accept(cause);
        }
    }

    void space(boolean acceptsPublishes) {
        if (acceptsPublishes) {
            problems.remove("disk");
        } else {
            problems.put("disk", "the store is full: publishes are refused until there is room");
        }
    }

    void problem(String part, String what) {
        problems.put(part, what);
    }

    /** Something is wrong that does not keep the hub from working. */
    void warn(String part, String what) {
        warnings.put(part, what);
    }

    void solved(String part) {
        problems.remove(part);
        warnings.remove(part);
    }

    void draining() {
        problems.put("hub", "draining");
    }
}
