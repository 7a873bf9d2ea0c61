package dev.harmovela.harness;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How the hub is, and how far its two clockworks have come: deadlines and forces. Readable from any thread. */
public final class HubHealth {

    /**
     * A part that is not as it should be.
     *
     * @param part name of the part
     * @param problem what is wrong with it
     * @param since epoch milliseconds at which that was first noticed
     */
    public record Part(String part, String problem, long since) {}

    /** Name of the part that searches ended tasks; whatever is wrong with it is a warning. */
    public static final String SEARCH = "search";

    private final LongSupplier clock;
    private final Map<String, Part> problems = new ConcurrentSkipListMap<>();
    private final Map<String, Part> warnings = new ConcurrentSkipListMap<>();
    private final AtomicReference<@Nullable Throwable> fatal = new AtomicReference<>();
    private volatile Consumer<Throwable> onFatal = _ -> {};
    private volatile long tickDue = Long.MAX_VALUE;
    private volatile LongSupplier forceWaiting = () -> Long.MAX_VALUE;

    HubHealth(LongSupplier clock) {
        this.clock = clock;
    }

    /** False once the log failed: nothing may be believed any more and the process has to end. */
    public boolean isLive() {
        return fatal.get() == null;
    }

    /** Whether new work is taken. */
    public boolean isReady() {
        return isLive() && problems.isEmpty();
    }

    /** What is wrong, by part. */
    public List<Part> problems() {
        return List.copyOf(problems.values());
    }

    /** What is wrong without keeping the hub from its work, by part. */
    public List<Part> warnings() {
        return List.copyOf(warnings.values());
    }

    /** Called once when the log fails. */
    public void onFatal(Consumer<Throwable> handler) {
        onFatal = handler;
        Throwable already = fatal.get();
        if (already != null) {
            handler.accept(already);
        }
    }

    /** Epoch milliseconds for which a call of {@link HarmovelaHub#tick} was asked, {@link Long#MAX_VALUE} for none. */
    public long tickDue() {
        return tickDue;
    }

    /** Epoch milliseconds since which something written is not durable, {@link Long#MAX_VALUE} when all is. */
    public long forceWaitingSince() {
        return forceWaiting.getAsLong();
    }

    void tickDue(long epochMillis) {
        tickDue = epochMillis;
    }

    void forces(LongSupplier waitingSince) {
        forceWaiting = waitingSince;
    }

    void fatal(Throwable cause) {
        if (fatal.compareAndSet(null, cause)) {
            problem("journal", String.valueOf(cause.getMessage()));
            onFatal.accept(cause);
        }
    }

    void space(boolean acceptsPublishes) {
        if (acceptsPublishes) {
            problems.remove("disk");
        } else {
            problem("disk", "the store is full: publishes are refused until there is room");
        }
    }

    void problem(String part, String what) {
        note(problems, part, what);
    }

    /** Something is wrong that does not keep the hub from working. */
    public void warn(String part, String what) {
        note(warnings, part, what);
    }

    private void note(Map<String, Part> notes, String part, String what) {
        long now = clock.getAsLong();
        notes.compute(part, (_, before) -> new Part(part, what, before == null ? now : before.since()));
    }

    public void solved(String part) {
        problems.remove(part);
        warnings.remove(part);
    }

    void draining() {
        problem("hub", "draining");
    }
}
