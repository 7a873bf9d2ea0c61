package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decides about {@code interruption.*} (§9). Changes nothing. */
final class InterruptionRules {

    private static final long DEFAULT_GRACE_MS = 30_000;
    private static final long MOST_GRACE_MS = 86_400_000;
    private static final int MOST_CHECKPOINT_BYTES = 64 * 1024;
    private static final String FORCE = "force_stop";

    private final Register register;
    private final EventRegistry types;

    InterruptionRules(Register register, EventRegistry types) {
        this.register = register;
        this.types = types;
    }

    Decision decide(Event event, Context at) {
        String named = event.taskId() == null ? event.payload().string("task_id") : event.taskId();
        InterruptionEvent kind = InterruptionEvent.of(event.type().name());
        if (kind == null) {
            throw new IllegalStateException(event.type() + " is not about interruptions");
        }
        if (named == null || !at.around().taskLives(at.tenant(), named)) {
            return at.enforceOwnership() ? refused(unknown(named), named) : plain(at);
        }
        Interruption known = register.find(at.tenant(), named);
        return switch (kind) {
            case REQUESTED -> requested(named, known, event, at);
            case RESUMED -> resumed(named, known, event, at);
            case ACKNOWLEDGED, SAVED, CANCELLED -> moved(named, known, kind, event, at);
        };
    }

    private Decision plain(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        return proposal.decision(null);
    }

    private static Decision refused(ProtocolError error, @Nullable String taskId) {
        return Decision.refused(error, taskId);
    }

    private static ProtocolError unknown(@Nullable String taskId) {
        return taskId == null
                ? ProtocolError.because(ErrorCode.TASK_ERROR, "missing_task_id", "the interruption names no task")
                : ProtocolError.because(ErrorCode.TASK_ERROR, "unknown_task", "there is no such live task")
                        .with("task_id", taskId);
    }

    // --- asking

    private Decision requested(String taskId, @Nullable Interruption known, Event event, Context at) {
        if (!mayAsk(taskId, at)) {
            return refused(notAllowed("only its owner, its submitter and supervisors interrupt a task"), taskId);
        }
        ProtocolError refusal = tooWeak(taskId, event.payload(), at);
        if (refusal == null && known != null && known.open()) {
            refusal = illegal(known, InterruptionEvent.REQUESTED);
        }
        if (refusal != null) {
            return refused(refusal, taskId);
        }
        String policy = event.member("interruption_policy") instanceof Json.Str word ? word.value() : "save_and_stop";
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        if (policy.equals(FORCE)) {
            end(proposal, taskId, Signal.EndTask.How.CANCEL, task("interrupted", "the task was stopped"), event.id());
            return proposal.decision(taskId);
        }
        Long asked = event.payload().integer("grace_period_ms");
        boolean hurries = policy.equals("save_and_stop") || asked != null;
        long grace = Math.min(asked == null ? DEFAULT_GRACE_MS : asked, MOST_GRACE_MS);
        proposal.add(new InterruptionFact.Set(
                at.tenant(),
                new Interruption(
                        taskId,
                        InterruptionState.REQUESTED,
                        policy,
                        at.actor(),
                        event.id(),
                        hurries ? at.now() + grace : Long.MAX_VALUE,
                        known == null ? "" : known.checkpointId(),
                        known == null ? "" : known.checkpoint())));
        String owner = at.around().taskOwner(at.tenant(), taskId);
        if (owner != null && !owner.equals(event.target()) && !owner.equals(at.actor())) {
            proposal.say(proposal.draft("interruption.requested")
                    .target(owner)
                    .taskId(taskId)
                    .correlationId(event.correlationId())
                    .causationId(event.id())
                    .member("interruption_policy", Json.of(policy))
                    .payload(event.payload()
                            .with("task_id", Json.of(taskId))
                            .with("requested_by", Json.of(at.actor()))));
        }
        return proposal.decision(taskId);
    }

    private static boolean mayAsk(String taskId, Context at) {
        return !at.enforceOwnership()
                || at.supervisor()
                || isOwner(taskId, at)
                || at.actor().equals(at.around().taskSubmitter(at.tenant(), taskId));
    }

    private static boolean isOwner(String taskId, Context at) {
        return at.actor().equals(at.around().taskOwner(at.tenant(), taskId));
    }

    /** An interruption that names a priority must exceed the task's (D44). */
    private @Nullable ProtocolError tooWeak(String taskId, Json.Obj payload, Context at) {
        if (Priority.unknown(payload)) {
            return ProtocolError.invalidPayload(
                    "payload.priority", Priority.expected(), String.valueOf(payload.get("priority")));
        }
        Double priority = Priority.of(payload);
        double own = register.priority(at.tenant(), taskId);
        return priority == null || priority > own
                ? null
                : task("priority_too_low", "the task has a priority of its own that this does not exceed")
                        .with("task_id", taskId)
                        .with("priority", Json.parse(Double.toString(own)));
    }

    // --- answering

    private Decision moved(
            String taskId, @Nullable Interruption known, InterruptionEvent kind, Event event, Context at) {
        boolean withdraws = kind == InterruptionEvent.CANCELLED;
        if (withdraws ? !mayAsk(taskId, at) : at.enforceOwnership() && !isOwner(taskId, at)) {
            return refused(notAllowed("only the owner of the task answers its interruption"), taskId);
        }
        InterruptionState next = known == null ? null : InterruptionLifecycle.TABLE.next(known.state(), kind);
        if (known == null || next == null) {
            return at.enforceOwnership() ? refused(illegal(known, kind), taskId) : plain(at);
        }
        String checkpoint = String.valueOf(event.payload().get("checkpoint"));
        int size = checkpoint.getBytes(StandardCharsets.UTF_8).length;
        if (kind == InterruptionEvent.SAVED && size > MOST_CHECKPOINT_BYTES) {
            return refused(
                    ProtocolError.tooLarge(size, MOST_CHECKPOINT_BYTES).with("path", "payload.checkpoint"), taskId);
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        if (kind == InterruptionEvent.SAVED) {
            String id = event.member("checkpoint_id") instanceof Json.Str text ? text.value() : event.id();
            String json = event.payload().get("checkpoint") == null ? "" : checkpoint;
            proposal.add(new InterruptionFact.Set(at.tenant(), known.saved(id, json)));
            proposal.signal(new Signal.HoldTask(at.tenant(), taskId, true, event.id()));
        } else {
            proposal.add(new InterruptionFact.Set(at.tenant(), known.in(next)));
            if (withdraws && known.state() == InterruptionState.SAVED) {
                proposal.signal(new Signal.HoldTask(at.tenant(), taskId, false, event.id()));
            }
        }
        return proposal.decision(taskId);
    }

    // --- going on

    /** Goes on from the checkpoint, or with {@code rollback} back to it; without the checkpoint the task fails. */
    private Decision resumed(String taskId, @Nullable Interruption known, Event event, Context at) {
        if (!mayAsk(taskId, at)) {
            return refused(notAllowed("only its owner, its submitter and supervisors resume a task"), taskId);
        }
        String id = event.member("checkpoint_id") instanceof Json.Str text ? text.value() : "";
        boolean rollback = Boolean.TRUE.equals(event.payload().bool("rollback"));
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        if (known == null || !known.holds(id)) {
            ProtocolError error = ProtocolError.of(ErrorCode.CHECKPOINT_MISSING)
                    .with("reason", "checkpoint_missing")
                    .with("checkpoint_id", id);
            end(proposal, taskId, Signal.EndTask.How.FAIL, error, event.id());
            return proposal.decision(taskId);
        }
        if (!rollback && known.state() == InterruptionState.RESUMED) {
            return Decision.known(taskId);
        }
        if (!rollback && known.state() != InterruptionState.SAVED) {
            return refused(illegal(known, InterruptionEvent.RESUMED), taskId);
        }
        proposal.add(new InterruptionFact.Set(at.tenant(), known.in(InterruptionState.RESUMED)));
        proposal.signal(new Signal.HoldTask(at.tenant(), taskId, false, event.id()));
        String owner = at.around().taskOwner(at.tenant(), taskId);
        if (owner != null && !owner.equals(at.actor())) {
            proposal.say(proposal.draft("interruption.resumed")
                    .target(owner)
                    .taskId(taskId)
                    .correlationId(event.correlationId())
                    .causationId(event.id())
                    .member("checkpoint_id", Json.of(known.checkpointId()))
                    .payload(Json.Obj.builder()
                            .put("task_id", taskId)
                            .put("rollback", rollback)
                            .put("checkpoint", known.checkpoint().isEmpty() ? null : Json.parse(known.checkpoint()))
                            .build()));
        }
        return proposal.decision(taskId);
    }

    // --- time

    /** Whose owner closed its session is to save, and may come back for that (D44). */
    Decision told(Signal.InterruptTasks all, Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        long grace = Math.min(all.graceMs() < 0 ? DEFAULT_GRACE_MS : all.graceMs(), MOST_GRACE_MS);
        for (String taskId : all.taskIds()) {
            Interruption known = register.find(all.tenant(), taskId);
            if (known != null && known.state() == InterruptionState.SAVED) {
                proposal.signal(new Signal.TaskLeft(all.tenant(), taskId, true));
            } else if (known == null || !known.open()) {
                Proposal.Said said = proposal.say(proposal.draft("interruption.requested")
                        .target(all.identity())
                        .taskId(taskId)
                        .member("interruption_policy", Json.of("save_and_stop"))
                        .payload(Json.Obj.builder()
                                .put("task_id", taskId)
                                .put("reason", "session_closed")
                                .put("grace_period_ms", grace)
                                .put("requested_by", Proposal.HUB)
                                .build()));
                proposal.add(new InterruptionFact.Set(
                        all.tenant(),
                        new Interruption(
                                taskId,
                                InterruptionState.REQUESTED,
                                "save_and_stop",
                                Proposal.HUB,
                                said.id(),
                                at.now() + grace,
                                known == null ? "" : known.checkpointId(),
                                known == null ? "" : known.checkpoint())));
            }
        }
        return proposal.decision(null);
    }

    /**
     * The grace of a session that was closed is over: who came back goes on as if nothing had been, everything else
     * ends as was declared.
     */
    private static void graceOver(Proposal proposal, Interruption late, Context at) {
        String owner = at.around().taskOwner(proposal.tenant(), late.taskId());
        if (owner == null || !at.around().attached(proposal.tenant(), owner)) {
            proposal.signal(new Signal.TaskLeft(proposal.tenant(), late.taskId(), false));
            return;
        }
        proposal.say(proposal.draft("interruption.cancelled")
                .target(owner)
                .taskId(late.taskId())
                .causationId(late.requestId())
                .payload(Json.Obj.builder()
                        .put("task_id", late.taskId())
                        .put("reason", "owner_returned")
                        .build()));
    }

    /** Who has to save and does not is stopped. */
    Decision fire(Context at) {
        Register.Due due = register.first();
        if (due == null || due.interruption().saveBy() > at.now()) {
            return Decision.NOTHING;
        }
        Interruption late = due.interruption();
        Proposal proposal = new Proposal(due.tenant(), at.now(), at.nextLsn(), at.ids(), types);
        proposal.noInput();
        proposal.add(new InterruptionFact.Set(due.tenant(), late.in(InterruptionState.CANCELLED)));
        if (late.requestedBy().equals(Proposal.HUB)) {
            graceOver(proposal, late, at);
        } else {
            end(
                    proposal,
                    late.taskId(),
                    Signal.EndTask.How.FAIL,
                    task("not_saved", "the owner did not save within the grace of the interruption"),
                    late.requestId());
        }
        proposal.moreToCome();
        return proposal.decision(late.taskId());
    }

    private static void end(
            Proposal proposal, String taskId, Signal.EndTask.How how, ProtocolError error, String cause) {
        proposal.signal(new Signal.EndTask(proposal.tenant(), taskId, how, error, cause));
    }

    private static ProtocolError task(String reason, String message) {
        return ProtocolError.because(ErrorCode.TASK_ERROR, reason, message);
    }

    private static ProtocolError notAllowed(String message) {
        return ProtocolError.unauthorized("not_allowed", message);
    }

    private static ProtocolError illegal(@Nullable Interruption known, InterruptionEvent event) {
        InterruptionState from = known == null ? null : known.state();
        return ProtocolError.illegalTransition(
                ErrorCode.TASK_ERROR,
                from == null ? "NONE" : from.name().toUpperCase(Locale.ROOT),
                event.toString(),
                InterruptionLifecycle.TABLE.allowed(from).stream()
                        .map(Object::toString)
                        .toList());
    }
}
