package dev.harmovela.testkit.hub;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.Conformance;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.TaskArchive;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.store.memory.MemoryJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A hub on one thread: everything runs inline, time stands still until the test moves it, nothing sleeps.
 *
 * <p>Work that the hub hands to its executor runs when the call that caused it returns, in order.
 */
public final class TestHub implements AutoCloseable {

    /** Where a test begins: 2026-07-10T10:00:00Z. */
    public static final long START = 1_783_677_600_000L;

    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final ArrayDeque<Runnable> heldReads = new ArrayDeque<>();
    private final HarmovelaHub hub;
    private long now;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private boolean holdsNext;
    private boolean running;
    private boolean holdsReads;

    private TestHub(HubConfig config, HarmovelaHub.JournalFactory journal, @Nullable TaskArchive archive, long now)
            throws IOException {
        this.now = now;
        hub = HarmovelaHub.start(new HarmovelaHub.Setup(
                config,
                this::run,
                () -> this.now,
                _ -> {},
                this::read,
                () -> 42,
                journal,
                listener -> new MemoryJournal(FrameKeys.NONE, listener),
                archive,
                Conformance.GRANTED));
        drain();
    }

    /** A hub that remembers nothing beyond its life. */
    public static TestHub inMemory() {
        return inMemory(HubConfig.defaults(List.of("websocket", "sse", "stdio")));
    }

    public static TestHub inMemory(HubConfig config) {
        return on(config, MemoryJournal::new, START);
    }

    /** A hub on a journal of the test's own, beginning at {@code now}. */
    public static TestHub on(HubConfig config, HarmovelaHub.JournalFactory journal, long now) {
        return on(config, journal, null, now);
    }

    /** The same with a search over ended tasks. */
    public static TestHub on(
            HubConfig config, HarmovelaHub.JournalFactory journal, @Nullable TaskArchive archive, long now) {
        try {
            return new TestHub(config, journal, archive, now);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(Runnable action) {
        work.add(action);
    }

    private void read(Runnable action) {
        if (holdsNext) {
            holdsNext = false;
            held.add(action);
        } else {
            (holdsReads ? heldReads : work).add(action);
        }
    }

    /** Makes reads of the log wait, as on a slow disk, until they are let go on. */
    public void holdReads(boolean now) {
        holdsReads = now;
        if (!now) {
            work.addAll(heldReads);
            heldReads.clear();
            drain();
        }
    }

    /** Lets the next thing that the hub does beside its traffic wait until {@link #releaseHeld}: a slow disk. */
    public void holdNext() {
        holdsNext = true;
    }

    /** Does what was held. */
    public void releaseHeld() {
        work.addAll(held);
        held.clear();
        drain();
    }

    /** Runs everything the hub has handed out. */
    public void drain() {
        if (running) {
            return;
        }
        running = true;
        try {
            for (Runnable next = work.poll(); next != null; next = work.poll()) {
                next.run();
            }
        } finally {
            running = false;
        }
    }

    public HarmovelaHub hub() {
        return hub;
    }

    public long now() {
        return now;
    }

    /** Moves the clock and lets everything that becomes due happen in its order. */
    public void advance(long millis) {
        long until = now + millis;
        for (long next = hub.tick(); next <= until; next = hub.tick()) {
            now = Math.max(now, next);
            drain();
        }
        now = until;
        hub.tick();
        drain();
    }

    /** Sets the clock forward or back without anything else happening. */
    public void jump(long millis) {
        now += millis;
    }

    /** A wire of an open development hub. */
    public TestWire wire() {
        return wire(new WireInfo("websocket", Caller.open(), WireInfo.Kind.DUPLEX));
    }

    /** A wire of a pipe: sessions are implied. */
    public TestWire pipe() {
        return wire(new WireInfo("stdio", Caller.implied(), WireInfo.Kind.DUPLEX));
    }

    /** A wire of one HTTP request. */
    public TestWire request() {
        return wire(new WireInfo("http", Caller.open(), WireInfo.Kind.REQUEST));
    }

    public TestWire wire(WireInfo info) {
        TestWire wire = new TestWire(this);
        wire.attach(hub.connect(wire, info));
        return wire;
    }

    /** A ready session of {@code identity} on a wire of its own. */
    public TestWire session(String identity) {
        TestWire wire = wire();
        wire.open(identity);
        return wire;
    }

    /** Asks and returns the answer. */
    public Json.Obj ask(String scope, @Nullable String id) {
        Answer answer = answer(new Ask(scope, id, Json.Obj.of(), 1000, null));
        if (answer instanceof Answer.Found found) {
            return found.body();
        }
        throw new AssertionError("no answer to " + scope + " " + id + ": " + answer);
    }

    public Answer answer(Ask ask) {
        Answer[] got = new Answer[1];
        hub.ask(Caller.open(), ask, answer -> got[0] = answer);
        drain();
        if (got[0] == null) {
            throw new AssertionError("no answer to " + ask);
        }
        return got[0];
    }

    /** Pulls what is there now, waiting no time. */
    public List<Json.Obj> pull(String subscriptionId, int limit) {
        Hub.Pulled[] got = new Hub.Pulled[1];
        hub.pull(Caller.open(), subscriptionId, limit, 1, pulled -> got[0] = pulled);
        drain();
        if (got[0] == null) {
            advance(1);
        }
        if (got[0] instanceof Hub.Pulled.Events events) {
            return events.events().stream()
                    .map(bytes -> (Json.Obj) Json.parse(bytes, 0, bytes.length))
                    .toList();
        }
        throw new AssertionError("nothing pulled: " + got[0]);
    }

    @Override
    public void close() {
        try {
            hub.close();
            drain();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
