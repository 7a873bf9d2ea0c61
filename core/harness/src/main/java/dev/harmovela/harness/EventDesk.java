package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Requirements;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Allowance;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import dev.harmovela.dimension.adaptation.Adaptation;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Caller;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishing: events that a dimension has to do with go through the dimensions, all others straight to the log. */
final class EventDesk {

    private static final int FRAMES_PER_FIRE = 64;
    private static final int INTERRUPTED_AT_ONCE = 100;

    private final Shard shard;
    private final Around around;
    private final Deque<Signal.EndSession> ending = new ArrayDeque<>();

    EventDesk(Shard shard) {
        this.shard = shard;
        this.around = new Around(shard);
        shard.state.dimensions.adaptation.enforce(
                shard.config.offer().features().contains(Adaptation.ENFORCE));
    }

    /** An event of anybody about anything but sessions, subscriptions and deliveries. */
    void handle(Input in) {
        take(in);
        endSessions();
    }

    private void take(Input in) {
        if (refusedForSpace(in) || refusedAsStale(in) || refusedAsBarred(in)) {
            return;
        }
        Dimensions.Roles roles = shard.state.dimensions.of(in.event().type());
        if (roles.none() && !Requirements.concerns(in.event().type())) {
            publish(in);
            return;
        }
        Context at = context(in);
        ProtocolError missing = missing(in, at);
        if (missing != null) {
            shard.replies.refused(in, missing);
            return;
        }
        for (DimensionState guard : roles.guards()) {
            Decision checked = guard.check(in.event(), at);
            if (checked.refusal() != null) {
                refuse(in, checked, checked.refusal(), at);
                return;
            }
        }
        Decision decision = roles.owner() == null ? stored(at) : roles.owner().decide(in.event(), at);
        if (decision.refusal() != null) {
            refuse(in, decision, decision.refusal(), at);
        } else {
            take(in, decision, at);
        }
    }

    /** An event of the hub's own that a fixture carries: nothing comes of it but what it costs, if that is admitted. */
    void played(Input in) {
        Dimensions.Roles roles = shard.state.dimensions.of(in.event().type());
        Context at = context(in);
        for (DimensionState guard : roles.guards()) {
            Decision checked = guard.check(in.event(), at);
            if (checked.refusal() != null) {
                refuse(in, checked, checked.refusal(), at);
                return;
            }
        }
        if (shard.tracker != null) {
            shard.tracker.inbound(in.event());
        }
        Signal happened = new Signal.Happened(in.tenant(), in.event(), 0);
        commit(in.header(shard.now(), "played"), Decision.NOTHING.and(happened), null, at);
        shard.replies.acknowledged(in, 0, false, in.event().taskId());
        endSessions();
    }

    /** What an event lacks because of what its session has agreed on. */
    private static @Nullable ProtocolError missing(Input in, Context at) {
        return Requirements.concerns(in.event().type())
                        && at.speaker().negotiated().test(Profiles.RUNTIME_SEMANTICS)
                ? Requirements.missing(in.event(), at.speaker().negotiated().test(Profiles.SECURITY))
                : null;
    }

    /** The short way of an event that no dimension has anything to do with: stored, routed, acknowledged. */
    private void publish(Input in) {
        settleAsked(in);
        if (!Shard.isStored(in.event())) {
            shard.pass(in.tenant(), in.event());
            shard.replies.acknowledged(in, 0, false, null);
            return;
        }
        long lsn = shard.append(in.header(shard.now(), "publish"), List.of(in.event()), List.of());
        shard.replies.acknowledged(in, lsn, false, null);
    }

    private Decision stored(Context at) {
        Proposal proposal = new Proposal(at, shard.config.registry());
        proposal.input();
        return proposal.decision(null);
    }

    private void refuse(Input in, Decision decision, ProtocolError refusal, Context at) {
        if (!decision.isEmpty()) {
            commit(in.header(shard.now(), "refusal"), decision, null, at);
        }
        shard.replies.refused(in, refusal);
    }

    private void take(Input in, Decision decision, Context at) {
        settleAsked(in);
        shard.gate.pushDeadlines(in);
        if (decision.duplicate()) {
            shard.replies.acknowledged(in, shard.journal.lastLsn(), true, decision.taskId());
            return;
        }
        String authority = in.event().type().in("task") ? "task" : "publish";
        long lsn = commit(in.header(shard.now(), authority), decision, in.event(), at);
        boolean passing = !Shard.isStored(in.event());
        if (passing && isRequest(in.event())) {
            shard.denials.passed(in);
        }
        shard.replies.acknowledged(in, passing ? 0 : lsn, false, decision.taskId());
    }

    private static boolean isRequest(Event event) {
        return event.type().in("command") || event.type().in("query");
    }

    private void settleAsked(Input in) {
        shard.gate.settleAsked(in);
        if (shard.tracker != null) {
            shard.tracker.inbound(in.event());
        }
    }

    private long commit(Frame.Header header, Decision decision, @Nullable Event input, Context at) {
        Framing framing = new Framing(shard, header, at);
        long lsn = framing.commit(decision, input);
        after(framing);
        return lsn;
    }

    private Context context(Input in) {
        boolean network = shard.kind == Shard.Kind.NETWORK;
        Session session = in.session() == null ? null : in.session().session;
        Rights rights = in.rights();
        Context.Speaker speaker = new Context.Speaker(
                in.tenant(),
                in.actor(),
                in.sessionId(),
                network,
                in.conn().caller().trust() == Caller.Trust.VERIFIED && rights.holds(Actions.TASK_MANAGE),
                session == null ? List.of() : Presences.pools(session),
                right -> !network || rights.has(right),
                profile -> session != null
                        && session.capabilities().strings("profiles").contains(profile),
                in.session() == null ? Json.Obj.of() : in.session().bounds());
        return new Context(shard.now(), speaker, shard.nextLsn(), shard.hub.ids(), around);
    }

    private Context ours(String tenant) {
        return new Context(shard.now(), Context.Speaker.hub(tenant), shard.nextLsn(), shard.hub.ids(), around);
    }

    private boolean refusedForSpace(Input in) {
        if (shard.journal.acceptsPublishes()) {
            return false;
        }
        shard.replies.refused(
                in,
                ProtocolError.because(ErrorCode.INTERNAL_ERROR, "storage_full", "the store is full: try again later")
                        .retryable(true));
        return true;
    }

    private boolean refusedAsStale(Input in) {
        if (in.event().staleAt() > shard.now() || shard.config.limits().staleEvents() != Limits.StaleEvents.REFUSED) {
            return false;
        }
        shard.replies.refused(
                in,
                ProtocolError.because(ErrorCode.STALE_STATE, "stale_event", "the event is past its freshness window")
                        .retryable(false)
                        .with("stale_at", Timestamps.format(in.event().staleAt())));
        return true;
    }

    /** What a session declared not to do it does not do, where that is enforced (§11). */
    private boolean refusedAsBarred(Input in) {
        Allowance allowance = in.session() == null || shard.kind != Shard.Kind.NETWORK
                ? null
                : in.session().allowance();
        if (allowance == null) {
            return false;
        }
        List<String> owned = shard.state.tasks.tasksOf(in.tenant(), in.actor());
        long others =
                owned.stream().filter(task -> !task.equals(in.event().taskId())).count();
        ProtocolError barred = allowance.refusal(in.event(), others);
        if (barred != null) {
            shard.replies.refused(in, barred);
        }
        return barred != null;
    }

    // --- time and ends

    /** Carries out due deadlines. */
    void fireDue() {
        fire();
        endSessions();
    }

    private void fire() {
        for (DimensionState one : shard.state.dimensions.all()) {
            fire(one);
        }
    }

    private void fire(DimensionState one) {
        for (int i = 0; i < FRAMES_PER_FIRE; i++) {
            Context at = ours("");
            Decision due = one.fire(at);
            if (!due.isEmpty()) {
                Frame.Header header = header(due, "deadline");
                Framing framing = new Framing(shard, header, ours(header.tenant()));
                framing.commit(due, null);
                ending.addAll(framing.sessionsToEnd());
            }
            if (!due.more()) {
                return;
            }
        }
    }

    /**
     * A session ends, with those facts. When it was the last one of its identity, its tasks end in the same frame as
     * they said they would.
     */
    void endSession(Session session, Frame.Header header, List<Fact> facts, boolean last) {
        shard.prepare(facts);
        Signal ended = new Signal.SessionEnded(session.tenant(), session.identity(), session.id(), last);
        boolean interrupts = last && session.capabilities().strings("profiles").contains(Profiles.RUNTIME_SEMANTICS);
        List<String> tasks = interrupts ? shard.state.tasks.tasksOf(session.tenant(), session.identity()) : List.of();
        Decision left = last && !interrupts ? left(session) : Decision.NOTHING;
        Framing framing = new Framing(shard, header, ours(session.tenant())).with(facts);
        framing.commit(left.and(ended), null);
        while (left.more()) {
            left = left(session);
            commit(header(left, "session closed"), left, null, ours(session.tenant()));
        }
        for (int i = 0; i < tasks.size(); i += INTERRUPTED_AT_ONCE) {
            Decision interrupted = Decision.NOTHING.and(
                    interruption(session, tasks.subList(i, Math.min(i + INTERRUPTED_AT_ONCE, tasks.size()))));
            Frame.Header next = Frame.Header.hub(shard.now(), session.tenant(), Replies.HUB, "session closed");
            commit(next, interrupted, null, ours(session.tenant()));
        }
        after(framing);
    }

    private static Signal interruption(Session session, List<String> tasks) {
        Json.Obj termination = session.capabilities().object("termination");
        Long grace = termination == null ? null : termination.integer("grace_period_ms");
        return new Signal.InterruptTasks(session.tenant(), session.identity(), tasks, grace == null ? -1 : grace);
    }

    private void after(Framing framing) {
        ending.addAll(framing.sessionsToEnd());
        if (framing.more()) {
            fire();
        }
    }

    /** Sessions that shall end, each in a frame of its own, once what led to it is answered. */
    private void endSessions() {
        while (!ending.isEmpty()) {
            Signal.EndSession end = ending.poll();
            SessionHandle handle = shard.handles.get(end.sessionId());
            if (handle != null && handle.session.tenant().equals(end.tenant())) {
                shard.sessions.fail(handle, end.reason());
            }
        }
    }

    private Decision left(Session session) {
        return shard.state.tasks.sessionEnded(
                session.tenant(), session.identity(), session.id(), shard.now(), shard.nextLsn(), shard.hub.ids());
    }

    private Frame.Header header(Decision decision, String cause) {
        String tenant = decision.tenant() == null ? "" : decision.tenant();
        return Frame.Header.hub(shard.now(), tenant, Replies.HUB, cause);
    }
}
