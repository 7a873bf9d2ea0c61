package dev.harmovela.dimension.compensation;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The compensations of a shard (§9): completed work that names one can be undone, by somebody's wish or because the
 * task above it failed. Undoing is a task of its own, for the one who did the work. For one thread.
 */
public final class Compensations implements DimensionState {

    private static final int MOST_ACTION_BYTES = 16 * 1024;
    /** So many pieces of work are undone when the task above them fails; the newest first. */
    private static final int AT_ONCE = 64;

    private final Map<String, Register> tenants = new TreeMap<>();
    private final EventRegistry types;

    public Compensations(EventRegistry types) {
        this.types = types;
    }

    @Override
    public String name() {
        return "compensations";
    }

    private Register of(String tenant) {
        Register register = tenants.get(tenant);
        return register == null ? new Register() : register;
    }

    // --- deciding

    @Override
    public boolean decides(EventType type) {
        return type.in("compensation");
    }

    @Override
    public boolean follows(EventType type) {
        return type.name().equals("task.completed");
    }

    @Override
    public Decision decide(Event event, Context at) {
        return event.type().action().equals("requested") ? requested(event, at) : answered(event, at);
    }

    /** Somebody wants work undone. */
    private Decision requested(Event event, Context at) {
        Compensation known = named(event, at);
        if (known == null) {
            return at.enforceOwnership() ? Decision.refused(unknown(event), event.taskId()) : plain(at);
        }
        boolean may = !at.enforceOwnership()
                || at.supervisor()
                || at.actor().equals(known.owner())
                || at.actor().equals(at.around().taskSubmitter(at.tenant(), known.taskId()));
        if (!may) {
            return Decision.refused(
                    ProtocolError.unauthorized(
                            "not_allowed", "only its owner, its submitter and supervisors have work undone"),
                    known.taskId());
        }
        if (CompensationLifecycle.TABLE.next(known.state(), CompensationEvent.REQUESTED) == null) {
            return Decision.refused(illegal(known, CompensationEvent.REQUESTED), known.taskId());
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        begin(proposal, known, event.id(), String.valueOf(event.payload().string("reason")));
        return proposal.decision(known.taskId());
    }

    private @Nullable Compensation named(Event event, Context at) {
        String id = id(event);
        if (id != null) {
            return of(at.tenant()).find(id);
        }
        String task = event.taskId() == null ? event.payload().string("task_id") : event.taskId();
        return task == null ? null : of(at.tenant()).ofTask(task);
    }

    private static @Nullable String id(Event event) {
        return event.member("compensation_id") instanceof Json.Str text ? text.value() : null;
    }

    private Decision plain(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        return proposal.decision(null);
    }

    private static void begin(Proposal proposal, Compensation known, String cause, String reason) {
        String work = "undo_" + known.id();
        proposal.add(new CompensationFact(proposal.tenant(), known.requested(work)));
        Json.Obj payload = Json.Obj.builder()
                .put("compensation_id", known.id())
                .put("compensates", known.taskId())
                .put("reason", reason)
                .put("action", known.action().isEmpty() ? null : Json.parse(known.action()))
                .build();
        proposal.signal(new Signal.SubmitTask(proposal.tenant(), work, known.owner(), payload, cause));
    }

    /** Who undid the work says so himself, before or instead of ending the task that asked for it. */
    private Decision answered(Event event, Context at) {
        Compensation known = named(event, at);
        if (known == null) {
            return at.enforceOwnership() ? Decision.refused(unknown(event), event.taskId()) : plain(at);
        }
        boolean done = event.type().action().equals("completed");
        CompensationEvent kind = done ? CompensationEvent.COMPLETED : CompensationEvent.FAILED;
        CompensationState next = CompensationLifecycle.TABLE.next(known.state(), kind);
        if (at.enforceOwnership() && !at.actor().equals(known.owner())) {
            return Decision.refused(
                    ProtocolError.unauthorized("not_allowed", "only the one who undoes the work says how it went"),
                    known.taskId());
        }
        if (next == null) {
            return Decision.refused(illegal(known, kind), known.taskId());
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        proposal.add(new CompensationFact(at.tenant(), known.ended(next)));
        return proposal.decision(known.taskId());
    }

    // --- reacting

    @Override
    public Decision react(Signal signal, Context at) {
        return switch (signal) {
            case Signal.Happened happened -> completed(happened.event(), at);
            case Signal.TaskEnded ended -> ended(ended, at);
            default -> Decision.NOTHING;
        };
    }

    /** Work was completed that says how it can be undone. */
    private Decision completed(Event event, Context at) {
        String id = id(event);
        String taskId = event.taskId();
        if (id == null || taskId == null || of(at.tenant()).find(id) != null) {
            return Decision.NOTHING;
        }
        Json.Obj action = event.payload().object("compensation");
        String json = action == null || action.toString().length() > MOST_ACTION_BYTES ? "" : action.toString();
        String owner = at.around().taskOwner(at.tenant(), taskId);
        Proposal proposal = new Proposal(at, types);
        proposal.add(new CompensationFact(
                at.tenant(),
                new Compensation(
                        id,
                        taskId,
                        at.around().taskParent(at.tenant(), taskId),
                        owner == null ? event.source() : owner,
                        json,
                        CompensationState.REGISTERED,
                        "")));
        return proposal.decision(null);
    }

    private Decision ended(Signal.TaskEnded ended, Context at) {
        Register register = of(at.tenant());
        if (register.isEmpty()) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        Compensation carried = register.ofWork(ended.taskId());
        if (carried != null && carried.state() == CompensationState.REQUESTED) {
            tell(proposal, carried, ended);
        }
        if (!ended.outcome().equals("completed")) {
            register.waitingBelow(ended.taskId()).stream().limit(AT_ONCE).forEach(one -> {
                Proposal.Said said = proposal.say(proposal.draft("compensation.requested")
                        .taskId(one.taskId())
                        .member("compensation_id", Json.of(one.id()))
                        .payload(Json.Obj.builder()
                                .put("task_id", one.taskId())
                                .put("reason", "parent_" + ended.outcome())
                                .build()));
                begin(proposal, one, said.id(), "parent_" + ended.outcome());
            });
        }
        return proposal.facts() == 0 ? Decision.NOTHING : proposal.decision(null);
    }

    /** The task that undid the work has ended, and nobody has said before how it went. */
    private static void tell(Proposal proposal, Compensation carried, Signal.TaskEnded ended) {
        boolean done = ended.outcome().equals("completed");
        proposal.add(new CompensationFact(
                proposal.tenant(), carried.ended(done ? CompensationState.COMPLETED : CompensationState.FAILED)));
        proposal.say(proposal.draft(done ? "compensation.completed" : "compensation.failed")
                .taskId(carried.taskId())
                .member("compensation_id", Json.of(carried.id()))
                .payload(Json.Obj.builder()
                        .put("task_id", carried.taskId())
                        .put("compensating_task_id", ended.taskId())
                        .put("reason", done ? null : ended.reason() == null ? ended.outcome() : ended.reason())
                        .build()));
    }

    private static ProtocolError unknown(Event event) {
        ProtocolError error =
                ProtocolError.because(ErrorCode.TASK_ERROR, "no_compensation", "nothing of the kind was registered");
        String id = id(event);
        return id == null ? error : error.with("compensation_id", id);
    }

    private static ProtocolError illegal(Compensation known, CompensationEvent event) {
        return ProtocolError.illegalTransition(
                ErrorCode.TASK_ERROR,
                known.state().name(),
                event.toString(),
                CompensationLifecycle.TABLE.allowed(known.state()).stream()
                        .map(Object::toString)
                        .toList());
    }

    // --- folding

    @Override
    public boolean holds(int kind) {
        return kind == CompensationFact.KIND;
    }

    /** Reads a fact back; null for a kind that is none of its own. */
    public static @Nullable Fact read(int kind, int version, In in) {
        return version == 1 ? CompensationFact.read(kind, in) : null;
    }

    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof CompensationFact own)) {
            throw new IllegalStateException("not a fact about compensations: kind " + fact.kind());
        }
        tenants.computeIfAbsent(own.tenant(), _ -> new Register()).set(own.compensation());
    }

    @Override
    public void snapshot(Out out) {
        out.varint(tenants.size());
        tenants.forEach((tenant, register) -> {
            out.string(tenant);
            register.snapshot(out);
        });
    }

    @Override
    public void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            tenants.put(in.string(), Register.restore(in));
        }
    }

    // --- asking

    /** The compensations of a tenant, in the order in which the work was completed. */
    public List<Json.Obj> list(String tenant) {
        return of(tenant).all().stream().map(Compensation::toJson).toList();
    }
}
