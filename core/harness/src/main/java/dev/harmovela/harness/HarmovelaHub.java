package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.Ids;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.MonotonicIds;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.TaskArchive;
import dev.harmovela.spi.WireInfo;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The hub without any input or output of its own: bytes in, bytes out, time from outside.
 *
 * <p>Everything runs on one executor, the owner. Every method that does not say otherwise is called there.
 */
public final class HarmovelaHub implements Hub, AutoCloseable {

    /** Asks for a call of {@link #tick()} on the owner at a time. */
    @FunctionalInterface
    public interface Alarm {
        void at(long epochMillis);
    }

    /** The time of the hub. Read by the owner only, never twice for one decision. */
    @FunctionalInterface
    public interface Clock {

        /** Epoch milliseconds. */
        long millis();

        /** Epoch nanoseconds, as finely as they are known; for measuring how long things take. */
        default long nanos() {
            return millis() * 1_000_000;
        }
    }

    /** Opens the log of the hub. */
    @FunctionalInterface
    public interface JournalFactory {
        Journal open(FrameKeys keys, JournalListener listener) throws IOException;
    }

    /** Makes the throw-away log of a conformance space. */
    @FunctionalInterface
    public interface SpaceJournals {
        Journal open(JournalListener listener);
    }

    /**
     * What a hub is made of.
     *
     * @param executor the owner; may run inline when called on its own thread
     * @param reading runs blocking reads
     * @param chance where ids begin and secrets come from
     * @param archive search over ended tasks, or null without one
     */
    public record Setup(
            HubConfig config,
            Executor executor,
            Clock clock,
            Alarm alarm,
            Executor reading,
            Chance chance,
            JournalFactory journal,
            SpaceJournals spaces,
            @Nullable TaskArchive archive,
            Conformance conformance) {}

    private static final System.Logger LOG = System.getLogger(HarmovelaHub.class.getName());

    private final Setup setup;
    private final Poison poison = new Poison();
    private final EventReader reader;
    private final MonotonicIds ids;
    private Shard main;
    private final Spaces spaces;
    private Maintenance maintenance;
    private final Flushing flushing = new Flushing();
    private final AtomicBoolean durableWaiting = new AtomicBoolean();
    private final HubHealth health;
    private final Callers callers;
    /** How far the log was ahead of the clock when this run began. */
    private final long ahead;

    private long now;
    private volatile boolean closed;

    private HarmovelaHub(Setup setup) throws IOException {
        this.setup = setup;
        this.now = setup.clock().millis();
        this.reader = new EventReader(setup.config().registry(), setup.config().limits());
        this.ids = new MonotonicIds(now, setup.chance().number());
        this.callers = new Callers(this, setup);
        this.health = new HubHealth(setup.clock()::millis);
        FrameCodec keys = new FrameCodec(setup.config().registry());
        Journal journal = setup.journal().open(keys, new Listener());
        Duplicates duplicates = duplicatesFor(journal);
        ShardState state = Recovery.recover(setup.config(), journal, duplicates);
        ahead = Math.max(0, state.lastNow() - now);
        now += ahead;
        ids.advance(now);
        this.main = new Shard(this, Shard.Kind.NETWORK, setup.config(), journal, state, duplicates);
        this.spaces = new Spaces(this, setup.config(), setup.spaces());
        this.maintenance = new Maintenance(main, setup.archive());
    }

    /** Recovers from the log and begins a new run; on the owner, or before it runs anything else. */
    public static HarmovelaHub start(Setup setup) throws IOException {
        HarmovelaHub hub = new HarmovelaHub(setup);
        hub.main.start();
        hub.maintenance.start();
        hub.arm(hub.main.timers.next());
        return hub;
    }

    private final class Listener implements JournalListener {
        @Override
        public void durable(long lsn) {
            if (durableWaiting.compareAndSet(false, true)) {
                onOwner(() -> {
                    durableWaiting.set(false);
                    main.release();
                    rebuildWhenDurable();
                });
            }
        }

        @Override
        public void lost(Throwable cause) {
            onOwner(() -> {
                health.fatal(cause);
                main.outputs.clear();
            });
        }

        @Override
        public void spaceChanged(boolean acceptsPublishes) {
            onOwner(() -> health.space(acceptsPublishes));
        }
    }

    // --- time and order

    /** Reads the clock for the input that follows; time never falls. */
    void touch() {
        now = Math.max(now, setup.clock().millis() + ahead);
        ids.advance(now);
    }

    long now() {
        return now;
    }

    /** Epoch nanoseconds, for measuring only. */
    long nanos() {
        return setup.clock().nanos();
    }

    String secret() {
        return setup.chance().secret();
    }

    Ids ids() {
        return ids;
    }

    Executor reading() {
        return setup.reading();
    }

    /** Runs something for a shard on the owner, unless the shard has been replaced meanwhile. */
    void onOwner(Shard shard, Runnable action) {
        onOwner(() -> {
            if (!shard.isRetired()) {
                shard.guarded(null, action, () -> {});
            }
        });
    }

    /** Runs something on the owner; nothing once the hub is closed, when the owner may be gone. */
    void onOwner(Runnable action) {
        if (closed) {
            return;
        }
        setup.executor().execute(() -> {
            touch();
            action.run();
            batchEnd();
        });
    }

    EventReader.Read read(byte[] buffer, int offset, int length) {
        return reader.read(buffer, offset, length);
    }

    /** Due deadlines; returns when the clock reaches the next one, {@link Long#MAX_VALUE} when there is none. */
    public long tick() {
        touch();
        health.tickDue(Long.MAX_VALUE);
        long next = Math.min(main.tick(), spaces.tick());
        arm(next);
        return onClock(next);
    }

    private long onClock(long time) {
        return time == Long.MAX_VALUE ? time : time - ahead;
    }

    void batchEnd() {
        main.batchEnd();
        spaces.batchEnd();
        arm(Math.min(main.nextDeadline(), spaces.nextDeadline()));
    }

    private void arm(long at) {
        long due = onClock(at);
        if (due < health.tickDue()) {
            health.tickDue(due);
            setup.alarm().at(due);
        }
    }

    // --- what went wrong

    /** Whether an event broke the shard before; it is not tried again. */
    boolean isPoison(Event event) {
        return poison.holds(event);
    }

    void inputFailed(RuntimeException failure) {
        LOG.log(System.Logger.Level.ERROR, "an input failed and was refused", failure);
    }

    /** State and log may differ: every wire is ended and the shard is built again from what is durable. */
    void reload(Shard shard, EventReader.@Nullable Read cause, RuntimeException failure) {
        LOG.log(System.Logger.Level.ERROR, "the shard failed and starts again from the log", failure);
        poison.add(cause);
        shard.retire("the hub failed and recovers");
        if (shard == main) {
            health.problem("shard", "recovering from a failure");
            maintenance.retire();
            main.journal.commit();
            rebuildWhenDurable();
        }
    }

    private void rebuildWhenDurable() {
        if (!main.isRetired() || main.journal.durableLsn() < main.journal.lastLsn()) {
            return;
        }
        try {
            Journal journal = main.journal;
            Duplicates duplicates = duplicatesFor(journal);
            ShardState state = Recovery.recover(setup.config(), journal, duplicates);
            main = new Shard(this, Shard.Kind.NETWORK, setup.config(), journal, state, duplicates);
            callers.restarted();
            maintenance = new Maintenance(main, setup.archive());
            main.start();
            maintenance.start();
            health.solved("shard");
        } catch (IOException e) {
            health.fatal(e);
        }
    }

    private Duplicates duplicatesFor(Journal journal) {
        return new Duplicates(setup.config().bounds().duplicates(), journal.id().hashCode());
    }

    // --- output

    void flushLater(Conn conn) {
        flushing.later(conn);
    }

    void afterRelease(Runnable action) {
        flushing.afterwards(action);
    }

    /** A shard has let outputs out: flush each wire once, then run what waited for that. */
    void released() {
        flushing.flush();
    }

    // --- wires

    @Override
    public Executor executor() {
        return setup.executor();
    }

    @Override
    public Limits limits() {
        return setup.config().limits();
    }

    @Override
    public Connection connect(Peer peer, WireInfo info) {
        touch();
        boolean implied = info.caller().trust() == Caller.Trust.IMPLIED;
        Shard shard = implied ? spaces.open() : main;
        Conn conn = new Conn(this, shard, peer, info);
        shard.adopt(conn);
        callers.opened(conn);
        return conn;
    }

    Callers callers() {
        return callers;
    }

    /**
     * What grants rights has changed: every live wire is judged anew.
     *
     * @param tenants what holds for tenants as a whole; the others have no bounds of their own
     * @param again who the holder of the same credential is by now, null when it is none any more
     */
    public void govern(Map<String, TenantPolicy> tenants, Function<Caller, @Nullable Caller> again) {
        touch();
        callers.govern(tenants, again);
        batchEnd();
    }

    /** The shard an input belongs to: asking for a conformance session moves the wire to a space of its own. */
    Shard placeFor(Conn conn, EventReader.Read read) {
        boolean asks = callers.mayTest(conn)
                && read instanceof EventReader.Read.Ok ok
                && ok.event().type().name().equals("session.open")
                && Opening.capabilities(ok.event()).strings("features").contains("conformance");
        if (asks && spaces.hasRoom()) {
            conn.moveTo(spaces.open());
        }
        return conn.shard();
    }

    Spaces spaces() {
        return spaces;
    }

    private Shard shardOf(String sessionId) {
        Shard space = spaces.of(sessionId);
        return space == null ? main : space;
    }

    @Override
    public Attachment attachSession(
            Peer peer, WireInfo info, String sessionId, @Nullable String afterEventId, @Nullable String fromCursor) {
        touch();
        Attachment outcome = main.audit.watching(
                info, sessionId, new Attaching(this, shardOf(sessionId)).attach(peer, info, sessionId));
        batchEnd();
        return outcome;
    }

    @Override
    public Attachment joinSession(Peer peer, WireInfo info, String sessionId) {
        touch();
        return main.audit.watching(
                info, sessionId, new Attaching(this, shardOf(sessionId)).join(peer, info, sessionId));
    }

    @Override
    public Attachment attachSubscription(Peer peer, WireInfo info, String subscriptionId, @Nullable String fromCursor) {
        touch();
        Attachment outcome =
                main.audit.watching(info, subscriptionId, new Attaching(this, main).stream(peer, info, subscriptionId));
        batchEnd();
        return outcome;
    }

    @Override
    public void pull(Caller caller, String subscriptionId, int limit, long timeoutMillis, Consumer<Pulled> done) {
        touch();
        main.pulls.pull(caller, subscriptionId, limit, timeoutMillis, main.audit.pulling(caller, subscriptionId, done));
        batchEnd();
    }

    @Override
    public void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        touch();
        main.questions.ask(caller, ask, main.audit.watching(caller, ask.scope(), ask.id(), done));
        batchEnd();
    }

    @Override
    public void act(Caller caller, String action, Json.Obj args, Consumer<Answer> done) {
        touch();
        main.letters.act(caller, action, args, main.audit.watching(caller, action, args.string("id"), done));
        batchEnd();
    }

    @Override
    public void turnedAway(String transport, String address, ProtocolError error) {
        touch();
        main.denials.stranger(transport, address, error);
        batchEnd();
    }

    // --- life

    /** Whether the hub lives and takes work, and what is wrong if not; any thread. */
    public HubHealth health() {
        return health;
    }

    /** The figures of this moment, conformance sessions left out. */
    public HubFigures figures() {
        return main.stats.figures(spaces.count());
    }

    void readFailed(IOException cause) {
        health.problem("journal read", String.valueOf(cause.getMessage()));
    }

    /**
     * Begins to stop (TRN-13): every session is told {@code session.closed} with reason {@code draining}, which ends
     * nothing: it can be resumed after a restart. No session is opened and nothing handed out any more;
     * acknowledgements, results and other events are taken until {@link #dismiss()}.
     */
    public void drain() {
        touch();
        health.draining();
        main.drain();
        batchEnd();
    }

    /** Ends every wire behind the answers it still waits for; sessions stay resumable. */
    public void dismiss() {
        touch();
        main.later(() -> {
            main.dismiss();
            spaces.dismiss();
        });
        batchEnd();
    }

    void archiveFailed(String problem) {
        health.warn(HubHealth.SEARCH, problem);
    }

    void archiveWorks() {
        health.solved(HubHealth.SEARCH);
    }

    void snapshotDone(@Nullable String problem) {
        if (problem == null) {
            health.solved("snapshot");
        } else {
            LOG.log(System.Logger.Level.ERROR, "no snapshot was taken: " + problem);
            health.warn("snapshot", problem);
        }
    }

    Shard main() {
        return main;
    }

    void snapshotNow() {
        maintenance.snapshotNow();
    }

    int openSpaces() {
        return spaces.count();
    }

    /** Writes what is settled, forces it and leaves the clean-stop mark. */
    @Override
    public void close() throws IOException {
        touch();
        main.flushSettling();
        main.denials.end();
        main.batchEnd();
        maintenance.retire();
        main.journal.close();
        main.release();
        closed = true;
    }
}
