package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.dimension.event.SessionFact;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.AsSent;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.harness.frame.HubStarted;
import dev.harmovela.harness.frame.Ring;
import dev.harmovela.harness.routing.Route;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Journal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One single-owner piece of the hub: durable state, its log, and the volatile things around them.
 *
 * <p>Each input is checked, decided, applied and appended as one frame before the next one is looked at; what it causes
 * outside waits in {@link Outputs} until the frame is durable.
 */
final class Shard {

    /** How a shard treats those who speak to it. */
    enum Kind {
        /** Sessions are opened and names are checked. */
        NETWORK,
        /** Sessions are implied and both sides of a conversation may speak (D7, D24). */
        IMPLIED
    }

    /** Reason that everybody is given while the hub stops. */
    static final String DRAINING = Feed.DRAINING;

    private static final long SETTLE_WITHIN_MILLIS = 10;

    final Kind kind;
    final HubConfig config;
    final HarmovelaHub hub;
    final Journal journal;
    final ShardState state;
    final Ring ring;
    final Outputs outputs = new Outputs();
    final Timers timers = new Timers();
    final LogMarks marks = new LogMarks();
    final Duplicates duplicates;
    final Map<String, SessionHandle> handles = new LinkedHashMap<>();
    final Map<String, Feed> feeds = new LinkedHashMap<>();
    final Presences presences;
    final Replies replies;
    final Gate gate;
    final SessionDesk sessions;
    final SubscriptionDesk subscriptions;
    final SettlementDesk settlements;
    final EventDesk events;
    final DeliveryDesk deliveries;
    final LetterDesk letters;
    final Questions questions;
    final Pulls pulls;
    final @Nullable Tracker tracker;
    final Tracking tracking;
    final Latencies latencies = new Latencies();
    final Forces forces = new Forces();
    final Tally tally = new Tally();
    final Stats stats;
    private final FrameCodec codec;
    private final Set<Conn> conns = new LinkedHashSet<>();
    private final Map<String, List<Fact>> loose = new LinkedHashMap<>();
    final Denials denials;
    final Audit audit;
    private final Set<Feed> settling = new LinkedHashSet<>();
    private boolean appended;
    private boolean changed;
    private boolean retired;
    private boolean draining;
    private boolean settleArmed;
    private Consumer<Tasks.EndedTask> onEnded = _ -> {};

    Shard(HarmovelaHub hub, Kind kind, HubConfig config, Journal journal, ShardState state, Duplicates duplicates) {
        this.hub = hub;
        this.kind = kind;
        this.config = config;
        this.journal = journal;
        this.state = state;
        this.ring = new Ring(config.registry(), config.bounds().ringBytes());
        this.codec = new FrameCodec(config.registry());
        this.duplicates = duplicates;
        this.presences = new Presences();
        this.replies = new Replies(this);
        this.gate = new Gate(this);
        this.sessions = new SessionDesk(this);
        this.subscriptions = new SubscriptionDesk(this);
        this.settlements = new SettlementDesk(this);
        this.events = new EventDesk(this);
        this.deliveries = new DeliveryDesk(this);
        this.letters = new LetterDesk(this);
        this.questions = new Questions(this);
        this.pulls = new Pulls(this);
        this.tracking = new Tracking(this);
        this.denials = new Denials(this);
        this.audit = new Audit(this);
        this.stats = new Stats(this);
        this.tracker = kind == Kind.IMPLIED ? new Tracker() : null;
    }

    /** Begins a run on recovered state: first frame, volatile halves, deadlines. */
    void start() {
        ring.restart(journal.lastLsn() + 1);
        marks.begin(journal.firstLsn(), journal.lastLsn(), journal.sizeBytes(), now());
        for (Route route : state.routes()) {
            addFeed(route, -1);
            requireFeed(route.subscription().id()).sentBefore(journal.lastLsn());
        }
        state.sessions.all().forEach(session -> {
            handles.put(session.id(), new SessionHandle(session, now()));
            presences.opened(session);
            sessions.watch(session.id());
        });
        sessions.watchOrphans();
        for (Subscription subscription : state.subscriptions.all()) {
            subscriptions.watchExpiry(subscription);
            if (subscription.kind() == Subscription.Kind.SESSION && handles.containsKey(subscription.owner())) {
                requireHandle(subscription.owner()).feeds.add(requireFeed(subscription.id()));
            }
        }
        handles.values().forEach(handle -> GroupDesk.restore(this, handle));
        if (kind == Kind.NETWORK) {
            hub.health().forces(forces::waitingSince);
        }
        append(systemHeader("start"), List.of(), List.of(new HubStarted(journal.epoch(), now())));
        batchEnd();
    }

    long now() {
        return hub.now();
    }

    // --- the log

    /** Position the next appended event takes. Facts recorded so far are written first. */
    long nextLsn() {
        flushLoose();
        return journal.lastLsn() + 1;
    }

    /** One input as one frame: applies the facts, writes the frame, hands its events to the feeds. */
    long append(Frame.Header header, List<Event> events, List<? extends Fact> facts) {
        prepare(facts);
        facts.forEach(this::apply);
        return write(header, events, facts);
    }

    /** Writes what must be in the log before those facts change anything. */
    void prepare(List<? extends Fact> facts) {
        facts.forEach(this::settleBefore);
        flushLoose();
    }

    /** What the consumer of a subscription settled still counts when it ends. */
    private void settleBefore(Fact fact) {
        Feed ending = fact instanceof SubscriptionFact.Removed removed ? feeds.get(removed.subscriptionId()) : null;
        if (ending != null) {
            ending.settling().flush();
        }
    }

    /** Writes a frame whose facts are applied. */
    long write(Frame.Header header, List<Event> events, List<? extends Fact> facts) {
        changed = true;
        long first = journal.lastLsn() + 1;
        int count = Math.max(1, events.size());
        Out bytes = codec.write(header, events, facts);
        journal.append(first, count, bytes.array(), 0, bytes.size());
        appended = true;
        state.ended(first + count - 1, header.now());
        state.times.mark(first + count - 1, hub.nanos());
        marks.appended(first + count - 1, bytes.size(), header.now());
        for (int i = 0; i < count; i++) {
            if (i < events.size()) {
                ring.add(events.get(i), header.tenant(), bytes.array(), codec.recordOffset(i), codec.recordLength(i));
            } else {
                ring.addNone(header.tenant());
            }
        }
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            long lsn = first + i;
            duplicates.add(header.tenant(), event, lsn, AsSent.content(event, lsn, facts));
            if (tracking.wanted()) {
                tracking.published(header.tenant(), event, lsn);
            }
            state.matched(header.tenant(), event, route -> {
                if (route.taker() != null) {
                    route.taker().stored(lsn, event);
                }
            });
        }
        ring.trim(journal.durableLsn());
        audit.written(first, header, events, facts);
        return first;
    }

    /** Hands an event that is not stored to whoever is there to take it. */
    void pass(String tenant, Event event) {
        tally.passed();
        state.index.match(tenant, event, route -> {
            if (route.taker() != null) {
                route.taker().passing(event);
            }
        });
    }

    /** Applies a fact of a tenant now; it is written with the frame that ends this input. */
    void record(String tenant, Fact fact) {
        if (fact instanceof RecoveryFact.Gap gap) {
            tally.gap(gap.reason());
        }
        apply(fact);
        loose.computeIfAbsent(tenant, _ -> new ArrayList<>()).add(fact);
    }

    private void flushLoose() {
        if (!loose.isEmpty()) {
            Map<String, List<Fact>> facts = new LinkedHashMap<>(loose);
            loose.clear();
            facts.forEach((tenant, of) -> write(systemHeader("deliveries").in(tenant), List.of(), of));
        }
    }

    Frame.Header systemHeader(String cause) {
        return Frame.Header.hub(now(), "", Replies.HUB, cause);
    }

    void apply(Fact fact) {
        changed = true;
        state.apply(fact);
        switch (fact) {
            case SessionFact.Opened opened -> {
                handles.put(opened.session().id(), new SessionHandle(opened.session(), now()));
                presences.opened(opened.session());
            }
            case SessionFact.Ready ready -> refresh(ready.sessionId());
            case SubscriptionFact.Created created -> {
                Route route = state.route(created.subscription().id());
                if (route != null) {
                    long start = created.subscription().startLsn();
                    addFeed(route, start < journal.lastLsn() ? start : -1);
                }
            }
            case SubscriptionFact.Removed removed -> dropFeed(removed.subscriptionId());
            default -> {
                Tasks.EndedTask ended = Tasks.ended(fact);
                if (ended != null) {
                    onEnded.accept(ended);
                }
            }
        }
    }

    private void refresh(String sessionId) {
        SessionHandle handle = handles.get(sessionId);
        dev.harmovela.dimension.event.Session live = state.sessions.live(sessionId);
        if (handle != null && live != null) {
            handle.session = live;
        }
    }

    private void addFeed(Route route, long replayFrom) {
        Feed feed = new Feed(route, deliveries, replayFrom);
        route.taker(feed);
        feeds.put(route.subscription().id(), feed);
        if (draining) {
            feed.pause(DRAINING);
        }
        tracking.added(feed);
        audit.added(feed);
    }

    private void dropFeed(String subscriptionId) {
        Feed feed = feeds.remove(subscriptionId);
        if (feed != null) {
            feed.route().taker(null);
            feed.end();
            settling.remove(feed);
            tracking.dropped(feed);
            audit.dropped(feed);
            latencies.forget(feed);
            handles.values().forEach(handle -> handle.feeds.remove(feed));
            pulls.dropped(feed);
        }
    }

    Feed requireFeed(String subscriptionId) {
        return java.util.Objects.requireNonNull(feeds.get(subscriptionId), subscriptionId);
    }

    SessionHandle requireHandle(String sessionId) {
        return java.util.Objects.requireNonNull(handles.get(sessionId), sessionId);
    }

    /** Who wants to know of every task that ends. */
    void onEnded(Consumer<Tasks.EndedTask> listener) {
        onEnded = listener;
    }

    // --- batches

    void settlesWaiting(Feed feed) {
        settling.add(feed);
    }

    /** Writes what consumers settled. */
    void flushSettling() {
        if (!settling.isEmpty()) {
            List<Feed> feedsToFlush = List.copyOf(settling);
            settling.clear();
            feedsToFlush.forEach(feed -> feed.settling().flush());
        }
    }

    /** Ends a batch: settlements ride along, what was appended is handed to the disk, what is durable leaves. */
    void batchEnd() {
        if (retired) {
            return;
        }
        sessions.answerFences();
        if (appended || !loose.isEmpty()) {
            flushSettling();
        } else if (!settling.isEmpty() && !settleArmed) {
            settleArmed = true;
            timers.at(now() + SETTLE_WITHIN_MILLIS, () -> {
                settleArmed = false;
                flushSettling();
            });
        }
        flushLoose();
        denials.flush(appended);
        if (appended) {
            appended = false;
            journal.commit();
            forces.asked(journal.lastLsn(), hub.nanos());
        }
        release();
    }

    /** Lets out what is durable. */
    void release() {
        long durable = journal.durableLsn();
        if (forces.isFollowing()) {
            forces.durable(durable, hub.nanos());
        }
        if (outputs.release(durable)) {
            hub.released();
        }
        ring.trim(journal.durableLsn());
    }

    /** Position an output of this moment depends on. */
    long tag() {
        return journal.lastLsn() + loose.size();
    }

    /** Runs something once everything appended so far is durable and every earlier output has left. */
    void later(Runnable action) {
        outputs.add(new Outputs.Run(tag(), action));
    }

    /** Runs due deadlines; returns the next one. */
    long tick() {
        guarded(null, () -> timers.runDue(now()), () -> {});
        guarded(null, events::fireDue, () -> {});
        batchEnd();
        return nextDeadline();
    }

    long nextDeadline() {
        return Math.min(timers.next(), state.dimensions.nextDeadline());
    }

    // --- wires

    void adopt(Conn conn) {
        conns.add(conn);
    }

    void forget(Conn conn) {
        conns.remove(conn);
    }

    Set<Conn> conns() {
        return conns;
    }

    void input(Conn conn, EventReader.Read read, int bytes) {
        switch (read) {
            case EventReader.Read.Ok ok -> gate.accept(conn, ok.event(), bytes);
            case EventReader.Read.Bad bad -> replies.unreadable(conn, bad, bytes);
        }
    }

    /**
     * Runs one input. What fails while checking and deciding has changed nothing and is refused; what fails later
     * leaves state and log at odds, so the shard retires and starts again from the log.
     */
    void guarded(EventReader.@Nullable Read cause, Runnable input, Runnable refuse) {
        changed = false;
        try {
            input.run();
        } catch (RuntimeException failure) {
            if (changed || cause == null) {
                hub.reload(this, cause, failure);
            } else {
                hub.inputFailed(failure);
                refuse.run();
            }
        }
    }

    void refuseFailed(Conn conn, EventReader.Read read, int bytes) {
        Event event = read instanceof EventReader.Read.Ok ok ? ok.event() : null;
        ProtocolError error = ProtocolError.internal();
        replies.refused(conn, event, error, List.of(error), bytes);
    }

    /** Whether this shard was replaced by one that was built again from the log. */
    boolean isRetired() {
        return retired;
    }

    /** Ends every wire; nothing of this object may touch the log again. */
    void retire(String why) {
        retired = true;
        outputs.clear();
        timers.clear();
        for (Conn conn : List.copyOf(conns)) {
            conn.abandon(why);
        }
    }

    /** Hands nothing out any more and lets nobody in; what is in hand can still be settled. */
    void drain() {
        draining = true;
        sessions.sayDraining();
        pulls.drain();
        feeds.values().forEach(feed -> feed.pause(DRAINING));
    }

    boolean isDraining() {
        return draining;
    }

    /** Ends every wire in an orderly way; sessions stay resumable. */
    void dismiss() {
        for (Conn conn : List.copyOf(conns)) {
            conn.close(CloseReason.GOING_AWAY, DRAINING);
        }
    }

    void refuseUnread(Conn conn, ProtocolError error) {
        replies.refused(conn, null, error, List.of(error), 0);
    }

    void wireClosed(Conn conn) {
        conns.remove(conn);
        pulls.closed(conn);
        sessions.wireClosed(conn);
        hub.spaces().wireGone(this, conn);
    }

    void inputEnded(Conn conn) {
        sessions.inputEnded(conn);
    }

    /** Pumps feeds that a wire takes without a session (a stream of one subscription). */
    void pumpAttached(Conn conn) {
        pulls.pump(conn);
    }

    /** Whether an event of this mode leaves a record. */
    static boolean isStored(Event event) {
        return event.delivery().mode() != DeliveryMode.BEST_EFFORT;
    }
}
