package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.task.TaskContext;
import dev.harmovela.dimension.task.TaskDecision;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishing: events that move tasks go through the task dimension, all others straight to the log. */
final class TaskDesk {

    private static final int FRAMES_PER_FIRE = 64;

    private final Shard shard;

    TaskDesk(Shard shard) {
        this.shard = shard;
    }

    /** The short way of an event that moves no machine: stored, routed, acknowledged. */
    void publish(Input in) {
        if (refusedForSpace(in)) {
            return;
        }
        shard.gate.settleAsked(in);
        if (shard.tracker != null) {
            shard.tracker.inbound(in.event());
        }
        if (!Shard.isStored(in.event())) {
            shard.pass(in.tenant(), in.event());
            shard.replies.acknowledged(in, 0, false, null);
            return;
        }
        long lsn = shard.append(in.header(shard.now(), "publish"), List.of(in.event()), List.of());
        shard.replies.acknowledged(in, lsn, false, null);
    }

    /** An event about a task. */
    void handle(Input in) {
        if (refusedForSpace(in)) {
            return;
        }
        TaskDecision decision = shard.state.tasks.decide(in.event(), context(in));
        if (decision.refusal() != null) {
            shard.replies.refused(in, decision.refusal());
            return;
        }
        shard.gate.settleAsked(in);
        if (shard.tracker != null) {
            shard.tracker.inbound(in.event());
        }
        shard.gate.pushDeadlines(in);
        if (decision.duplicate()) {
            shard.replies.acknowledged(in, shard.journal.lastLsn(), true, decision.taskId());
            return;
        }
        long lsn = commit(in.header(shard.now(), "task"), decision, in.event());
        shard.replies.acknowledged(in, lsn, false, decision.taskId());
        if (decision.more()) {
            fire();
        }
    }

    private TaskContext context(Input in) {
        return new TaskContext(
                shard.now(),
                in.tenant(),
                in.actor(),
                in.sessionId(),
                shard.kind == Shard.Kind.NETWORK,
                in.conn().caller().trust() == Caller.Trust.VERIFIED
                        && in.rights().holds(Actions.TASK_MANAGE),
                shard.nextLsn(),
                shard.hub.ids(),
                List.of());
    }

    /**
     * Writes a decision as one frame; returns the position of the input event, or of the frame when it is not
     * stored.
     */
    private long commit(Frame.Header header, TaskDecision decision, @Nullable Event input) {
        List<Event> events = new ArrayList<>(decision.before());
        int at = events.size();
        boolean stored = input != null && decision.store() == TaskDecision.Store.STORE;
        if (stored) {
            events.add(input);
        }
        events.addAll(decision.after());
        String asked = decision.routeTo();
        if (input != null && asked != null && !asked.equals(input.target())) {
            events.add(askedToStop(input, asked));
        }
        List<Fact> facts = new ArrayList<>();
        for (Event event : events) {
            inboxFor(header.tenant(), event, facts);
        }
        facts.addAll(decision.facts());
        long first = shard.append(header, events, facts);
        return stored ? first + at : first;
    }

    /** The owner's own copy of a request that names only the task. */
    private Event askedToStop(Event request, String owner) {
        String taskId = request.taskId();
        return shard.replies
                .draft("task.cancel.requested")
                .target(owner)
                .taskId(taskId)
                .correlationId(request.correlationId())
                .causationId(request.id())
                .payload(Json.Obj.builder()
                        .put("task_id", taskId)
                        .put("reason", request.payload().string("reason"))
                        .put("requested_by", request.source())
                        .build())
                .build();
    }

    /** A task may name an agent that has not attached yet: its inbox begins with that event (D6, D31). */
    private void inboxFor(String tenant, Event event, List<Fact> facts) {
        String target = event.target();
        if (target != null) {
            Fact inbox = shard.subscriptions.inboxIfNew(tenant, target);
            if (inbox != null) {
                facts.add(inbox);
            }
        }
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

    // --- time and ends

    /** Carries out due deadlines of tasks. */
    void fire() {
        for (int i = 0; i < FRAMES_PER_FIRE; i++) {
            TaskDecision due = shard.state.tasks.fire(shard.now(), shard.presences, shard.nextLsn(), shard.hub.ids());
            if (!due.isEmpty()) {
                commit(header(due, "deadline"), due, null);
            }
            if (!due.more()) {
                return;
            }
        }
    }

    /** The last session of an identity ends: in the same frame its tasks end as they said they would. */
    void endWith(Session session, Frame.Header header, List<Fact> sessionFacts) {
        TaskDecision left = shard.state.tasks.sessionEnded(
                session.tenant(), session.identity(), session.id(), shard.now(), shard.nextLsn(), shard.hub.ids());
        List<Event> events = new ArrayList<>(left.before());
        events.addAll(left.after());
        List<Fact> facts = new ArrayList<>(sessionFacts);
        for (Event event : events) {
            inboxFor(header.tenant(), event, facts);
        }
        facts.addAll(left.facts());
        shard.append(header, events, facts);
        while (left.more()) {
            left = shard.state.tasks.sessionEnded(
                    session.tenant(), session.identity(), session.id(), shard.now(), shard.nextLsn(), shard.hub.ids());
            commit(header(left, "session closed"), left, null);
        }
    }

    private Frame.Header header(TaskDecision decision, String cause) {
        String tenant = decision.tenant() == null ? "" : decision.tenant();
        return Frame.Header.hub(shard.now(), tenant, Replies.HUB, cause);
    }
}
