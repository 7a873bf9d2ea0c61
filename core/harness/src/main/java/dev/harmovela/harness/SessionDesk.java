package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.SessionFact;
import dev.harmovela.dimension.event.SessionState;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.WireInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything about sessions (§3): heartbeats, ends, lost wires and the windows that follow. Opening is {@link
 * Opening}.
 */
final class SessionDesk {

    private static final int MISSED_HEARTBEATS = 3;
    /**
     * Those that a stopping hub sends away come back at this distance from each other, so that no second sees too
     * many.
     */
    private static final long RETURN_STEP_MILLIS = 2;

    private static final long LATEST_RETURN_MILLIS = 30_000;

    private final Shard shard;
    private final Opening opening;
    private final Map<Conn, SessionHandle> implied = new HashMap<>();
    private final Set<SessionHandle> fencing = new LinkedHashSet<>();

    SessionDesk(Shard shard) {
        this.shard = shard;
        this.opening = new Opening(shard);
    }

    void handle(Conn conn, Event event, int bytes) {
        Input in = shard.gate.input(conn, event, null, bytes);
        switch (event.type().name()) {
            case "session.open" -> opening.open(in, Opening.Handshake.SEED);
            case "session.opened" -> opening.open(in, Opening.Handshake.OLDER);
            case "session.ready" -> ready(in);
            case "session.closed" -> end(in, SessionState.CLOSED);
            case "session.error" -> end(in, SessionState.ERROR);
            default -> heartbeat(in);
        }
    }

    // --- events of a session

    private void ready(Input in) {
        SessionHandle handle = named(in);
        if (handle == null && shard.kind == Shard.Kind.IMPLIED) {
            shard.replies.silent(in);
        } else if (handle == null) {
            refuseUnnamed(in);
        } else {
            if (handle.session.state() == SessionState.OPENED) {
                shard.append(
                        in.header(shard.now(), "session"),
                        List.of(),
                        List.of(new SessionFact.Ready(handle.session.id())));
            }
            shard.replies.silent(in);
            watch(handle.session.id());
            attachFeeds(handle);
        }
    }

    private void heartbeat(Input in) {
        SessionHandle handle = named(in);
        ProtocolError refused = shard.kind == Shard.Kind.IMPLIED
                ? shard.gate.impliedSessionProblem(in.event())
                : handle == null ? problemOf(in) : null;
        if (refused == null) {
            refused = shard.gate.claimsProblem(in);
        }
        if (refused != null) {
            shard.replies.unauthorized(in, refused);
            return;
        }
        if (handle != null) {
            handle.lastSeen = shard.now();
            shard.presences.seen(handle.session.tenant(), handle.session.identity(), shard.now());
            for (String id : in.event().payload().strings("extend")) {
                handle.feeds.forEach(feed -> feed.settling().extendEvent(id));
            }
        }
        if (handle != null && (!handle.fences.isEmpty() || handle.isSettlingLate())) {
            handle.fences.add(in);
            fencing.add(handle);
        } else {
            beat(in);
        }
    }

    /** Answers a heartbeat: everything settled before it is durable by then. */
    private void beat(Input in) {
        shard.flushSettling();
        shard.replies.acknowledged(in, shard.tag(), false, null);
    }

    /** Answers heartbeats that waited for settlements of events that had to be read first. */
    void answerFences() {
        for (SessionHandle handle : fencing.isEmpty() ? List.<SessionHandle>of() : List.copyOf(fencing)) {
            if (!handle.isSettlingLate()) {
                fencing.remove(handle);
                handle.fences.forEach(this::beat);
                handle.fences.clear();
            }
        }
    }

    private @Nullable ProtocolError problemOf(Input in) {
        String id = in.event().sessionId();
        if (id == null) {
            return in.conn().sessions.size() > 1
                    ? ProtocolError.because(
                            ErrorCode.SESSION_ERROR, "ambiguous_session", "several sessions are open: name one")
                    : ProtocolError.because(ErrorCode.SESSION_ERROR, "no_session", "no session is open here");
        }
        return shard.gate.unknownSession(in.conn().caller(), id);
    }

    private void refuseUnnamed(Input in) {
        ProtocolError problem = problemOf(in);
        shard.replies.refused(in, problem == null ? ProtocolError.of(ErrorCode.SESSION_ERROR) : problem);
    }

    private void end(Input in, SessionState state) {
        SessionHandle handle = named(in);
        if (handle == null) {
            endUnknown(in);
            return;
        }
        String reason = in.event().payload().string("reason");
        endSession(handle, state, reason == null ? "closed by its client" : reason, in.header(shard.now(), "session"));
        shard.replies.acknowledged(in, 0, false, null);
    }

    /** A fixture may close a session that its own lines never opened: from then on its id counts as ended. */
    private void endUnknown(Input in) {
        String id = in.event().sessionId() == null
                ? in.event().payload().string("session_id")
                : in.event().sessionId();
        boolean known = id != null && shard.state.sessions.ended(id) != null;
        if (shard.kind != Shard.Kind.IMPLIED || known) {
            refuseUnnamed(in);
            return;
        }
        if (id != null) {
            Session gone =
                    Session.opened(id, in.tenant(), in.actor(), in.conn().info.transport(), Json.Obj.of(), shard.now());
            shard.append(
                    in.header(shard.now(), "implied"),
                    List.of(),
                    List.of(
                            new SessionFact.Opened(gone),
                            new SessionFact.Ended(id, SessionState.CLOSED, shard.now(), "closed")));
            shard.handles.remove(id);
        }
        shard.replies.acknowledged(in, 0, false, null);
    }

    void capabilities(Input in) {
        if (in.event().type().name().equals("capabilities.requested")) {
            Json.Obj all = Opening.everything(shard);
            Event declared = shard.replies
                    .draft("capabilities.declared")
                    .target(Replies.blankToNull(in.event().source()))
                    .sessionId(in.event().sessionId())
                    .correlationId(in.event().correlationId())
                    .causationId(in.event().id())
                    .member("capabilities", all)
                    .payload(Json.Obj.builder().put("capabilities", all).build())
                    .build();
            shard.replies.answer(in.conn(), in.bytes(), declared, false);
        } else {
            shard.replies.acknowledged(in, 0, false, null);
        }
    }

    /** The session of this wire that an event names, or its only one. */
    @Nullable SessionHandle named(Input in) {
        String id = in.event().sessionId() == null
                ? in.event().payload().string("session_id")
                : in.event().sessionId();
        if (id != null) {
            return in.conn().session(id);
        }
        return in.conn().sessions.size() == 1
                ? in.conn().sessions.values().iterator().next()
                : null;
    }

    // --- attaching

    void attach(SessionHandle handle, Conn conn) {
        boolean first = !handle.isAttached();
        conn.sessions.put(handle.session.id(), handle);
        handle.wires.computeIfAbsent(conn, wire -> new Conn.SessionOutlet(wire, handle.session.id()));
        handle.lastSeen = shard.now();
        if (first) {
            shard.presences.attached(handle.session.tenant(), handle.session.identity(), shard.now());
        }
        if (shard.kind == Shard.Kind.NETWORK) {
            shard.hub.callers().known().attached(conn.caller(), handle.session);
        }
        watch(handle.session.id());
    }

    /** Another wire takes the session over (a reconnecting stream). */
    void replaceWires(SessionHandle handle, Conn conn) {
        for (Conn older : List.copyOf(handle.wires.keySet())) {
            detach(handle, older);
            shard.later(() -> older.close(CloseReason.REPLACED, "the session was resumed elsewhere"));
        }
        attach(handle, conn);
        attachFeeds(handle);
    }

    /** The session that a wire of an implied shard speaks in when its events name none. */
    SessionHandle implied(Conn conn) {
        if (conn.info.kind() == WireInfo.Kind.REQUEST && !conn.sessions.isEmpty()) {
            return conn.sessions.values().iterator().next();
        }
        return implied.computeIfAbsent(conn, wire -> {
            Session session = Session.opened(
                    shard.hub.ids().next("implied"),
                    wire.caller().tenant(),
                    "agent:implied",
                    wire.info.transport(),
                    Json.Obj.of(),
                    shard.now());
            SessionHandle handle = new SessionHandle(session, shard.now());
            handle.wires.put(wire, new Conn.SessionOutlet(wire, session.id()));
            return handle;
        });
    }

    void pumpImplied(Conn conn) {
        SessionHandle handle = implied.get(conn);
        if (handle != null) {
            handle.pump();
        }
    }

    /**
     * Tells every session that the hub stops; none of them ends by that. Each is given a moment of its own to come
     * back.
     */
    void sayDraining() {
        long after = 0;
        for (SessionHandle handle : shard.handles.values()) {
            for (Conn conn : handle.wires.keySet()) {
                Event told = shard.replies
                        .draft("session.closed")
                        .sessionId(handle.session.id())
                        .payload(Json.Obj.builder()
                                .put("session_id", handle.session.id())
                                .put("reason", Shard.DRAINING)
                                .put("resumable", true)
                                .put("reconnect_after_ms", after)
                                .put("cursor", shard.replies.cursor(shard.journal.lastLsn()))
                                .build())
                        .build();
                shard.replies.tell(conn, told);
                after = Math.min(after + RETURN_STEP_MILLIS, LATEST_RETURN_MILLIS);
            }
        }
    }

    /** Lets the deliveries of a session flow to its wires. */
    void attachFeeds(SessionHandle handle) {
        if (handle.session.state() != SessionState.READY) {
            return;
        }
        for (String name : Opening.names(handle.session)) {
            Feed inbox = shard.feeds.get(Subscription.inboxId(handle.session.tenant(), name));
            if (inbox != null) {
                handle.feeds.add(inbox);
            }
        }
        for (Conn conn : List.copyOf(handle.wires.keySet())) {
            Callers.endUncovered(shard, handle, conn);
        }
        for (Feed feed : List.copyOf(handle.feeds)) {
            handle.wires.values().forEach(feed::attach);
        }
    }

    void detach(SessionHandle handle, Conn conn) {
        Conn.SessionOutlet outlet = handle.wires.remove(conn);
        handle.fences.removeIf(beat -> beat.conn() == conn);
        conn.sessions.remove(handle.session.id());
        if (outlet == null) {
            return;
        }
        for (Feed feed : List.copyOf(handle.feeds)) {
            feed.detach(outlet);
        }
        if (!handle.isAttached()) {
            handle.detachedAt = shard.now();
            shard.presences.detached(handle.session.tenant(), handle.session.identity(), shard.now());
        }
    }

    void wireClosed(Conn conn) {
        implied.remove(conn);
        for (SessionHandle handle : List.copyOf(conn.sessions.values())) {
            detach(handle, conn);
            boolean unconfirmed =
                    handle.session.state() == SessionState.OPENED && conn.info.kind() == WireInfo.Kind.DUPLEX;
            if (!handle.isAttached() && unconfirmed) {
                endSession(handle, SessionState.CLOSED, "never confirmed", shard.systemHeader("wire closed"));
            } else {
                watch(handle.session.id());
            }
        }
    }

    /** The input of a pipe has ended: its sessions close in an orderly way and are told so. */
    void inputEnded(Conn conn) {
        for (SessionHandle handle : List.copyOf(conn.sessions.values())) {
            EventDraft told = shard.replies.draft("session.closed").sessionId(handle.session.id());
            endSession(handle, SessionState.CLOSED, "end of input", shard.systemHeader("end of input"));
            shard.replies.tell(
                    conn,
                    told.payload(Json.Obj.builder()
                                    .put("session_id", handle.session.id())
                                    .put("reason", "end of input")
                                    .build())
                            .build());
        }
    }

    // --- ends

    /** Ends a session: its subscriptions go, its identity's tasks are looked after when it was the last one. */
    void endSession(SessionHandle handle, SessionState state, String reason, Frame.Header header) {
        List<Fact> facts = new ArrayList<>();
        Session session = handle.session;
        for (Subscription held :
                shard.state.subscriptions.of(Subscription.Kind.SESSION, session.tenant(), session.id())) {
            facts.add(new SubscriptionFact.Removed(held.id(), reason));
        }
        endKeepingSubscriptions(handle, state, reason, header, facts);
    }

    private void endKeepingSubscriptions(
            SessionHandle handle, SessionState state, String reason, Frame.Header header, List<Fact> more) {
        Session session = handle.session;
        handle.fences.forEach(beat -> shard.replies.refused(beat, shard.gate.closed(session.id())));
        handle.fences.clear();
        for (Conn conn : List.copyOf(handle.wires.keySet())) {
            detach(handle, conn);
        }
        List<Fact> facts = new ArrayList<>(more);
        facts.addAll(GroupDesk.leaving(shard, session.id()));
        facts.add(new SessionFact.Ended(session.id(), state, shard.now(), reason));
        boolean last = shard.state.sessions.countOf(session.tenant(), session.identity()) == 1;
        shard.events.endSession(session, header.in(session.tenant()), facts, last);
        shard.handles.remove(session.id());
        shard.presences.ended(session);
    }

    /** Watches one session for silence, for the end of its resume window, for staying unconfirmed. */
    void watch(String sessionId) {
        SessionHandle handle = shard.handles.get(sessionId);
        if (handle == null) {
            return;
        }
        long due = dueAt(handle);
        if (handle.watchedUntil <= shard.now() || due < handle.watchedUntil) {
            handle.watchedUntil = due;
            shard.timers.at(due, () -> look(sessionId));
        }
    }

    private long dueAt(SessionHandle handle) {
        HubConfig.Bounds bounds = shard.config.bounds();
        if (!handle.isAttached()) {
            return handle.detachedAt + bounds.resumeWindowMillis();
        }
        if (handle.session.state() == SessionState.OPENED) {
            return handle.session.openedAt() + bounds.readyTimeoutMillis();
        }
        long interval = handle.session.heartbeatMillis();
        return interval > 0 ? handle.lastSeen + MISSED_HEARTBEATS * interval : shard.now() + 60_000;
    }

    private void look(String sessionId) {
        SessionHandle handle = shard.handles.get(sessionId);
        if (handle == null) {
            return;
        }
        handle.watchedUntil = 0;
        long due = dueAt(handle);
        boolean quiet = handle.isAttached()
                && handle.session.state() == SessionState.READY
                && handle.session.heartbeatMillis() == 0;
        if (due > shard.now() || quiet) {
            handle.watchedUntil = Math.max(due, shard.now() + 1);
            shard.timers.at(handle.watchedUntil, () -> look(sessionId));
        } else if (!handle.isAttached()) {
            endSession(
                    handle, SessionState.CLOSED, SubscriptionFact.WINDOW_PASSED, shard.systemHeader("resume window"));
        } else {
            timeOut(handle);
        }
    }

    /**
     * Silence for three intervals: the session fails; a new one may adopt its subscriptions within the window
     * (D27).
     */
    private void timeOut(SessionHandle handle) {
        ProtocolError error = ProtocolError.of(ErrorCode.SESSION_TIMEOUT, "nothing was heard for three intervals")
                .with("last_heartbeat_at", Timestamps.format(handle.lastSeen));
        Session session = handle.session;
        List<Conn> wires = List.copyOf(handle.wires.keySet());
        shard.tally.sessionTimedOut();
        endKeepingSubscriptions(
                handle, SessionState.ERROR, "session_timeout", shard.systemHeader("heartbeat"), List.of());
        watchOrphan(session.tenant(), session.id());
        for (Conn conn : wires) {
            shard.replies.tell(conn, sessionError(session.id(), null, error));
            shard.later(() -> conn.close(CloseReason.GOING_AWAY, "session timed out"));
        }
    }

    /** The hub ends a session that used up what it had; whoever is attached is told. */
    void fail(SessionHandle handle, String reason) {
        ProtocolError error = ProtocolError.because(ErrorCode.BUDGET_EXCEEDED, reason, "the session is over");
        String id = handle.session.id();
        List<Conn> wires = List.copyOf(handle.wires.keySet());
        endSession(handle, SessionState.ERROR, reason, shard.systemHeader(reason));
        wires.forEach(conn -> shard.replies.tell(conn, sessionError(id, null, error)));
    }

    Event sessionError(@Nullable String sessionId, @Nullable String causationId, ProtocolError error) {
        return shard.replies
                .draft("session.error")
                .sessionId(sessionId)
                .causationId(causationId)
                .member("error", error.toJson())
                .payload(Json.Obj.builder()
                        .put("session_id", sessionId)
                        .put("error", error.toJson())
                        .build())
                .build();
    }

    /** Subscriptions whose session has failed go when nobody adopts them in time. */
    private void watchOrphan(String tenant, String sessionId) {
        shard.timers.at(shard.now() + shard.config.bounds().resumeWindowMillis(), () -> {
            List<Fact> facts = new ArrayList<>();
            for (Subscription held : shard.state.subscriptions.of(Subscription.Kind.SESSION, tenant, sessionId)) {
                facts.add(new SubscriptionFact.Removed(held.id(), "resume window passed"));
            }
            if (!facts.isEmpty()) {
                shard.append(shard.systemHeader("resume window").in(tenant), List.of(), facts);
            }
        });
    }

    /** After a restart: subscriptions whose session is gone get the window anew. */
    void watchOrphans() {
        for (Subscription held : shard.state.subscriptions.all()) {
            if (held.kind() == Subscription.Kind.SESSION && shard.state.sessions.live(held.owner()) == null) {
                watchOrphan(held.tenant(), held.owner());
            }
        }
        for (Session session : shard.state.sessions.all()) {
            shard.presences.remembered(session.tenant(), session.identity(), shard.now());
        }
    }
}
