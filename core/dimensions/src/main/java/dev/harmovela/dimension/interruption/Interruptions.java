package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The interruptions of the tasks of a shard, and the checkpoints they go on from (§9, D44). For one thread. */
public final class Interruptions implements DimensionState {

    private static final int KINDS_FROM = 830;
    private static final int KINDS_TO = 839;

    private final Register register = new Register();
    private final InterruptionRules rules;
    private final EventRegistry types;

    public Interruptions(EventRegistry types) {
        this.types = types;
        rules = new InterruptionRules(register, types);
    }

    @Override
    public String name() {
        return "interruptions";
    }

    @Override
    public boolean decides(EventType type) {
        return type.in("interruption");
    }

    @Override
    public boolean follows(EventType type) {
        return type.name().equals("task.submitted");
    }

    @Override
    public Decision decide(Event event, Context at) {
        return rules.decide(event, at);
    }

    @Override
    public Decision react(Signal signal, Context at) {
        if (signal instanceof Signal.InterruptTasks all) {
            return rules.told(all, at);
        }
        Fact fact = switch (signal) {
            case Signal.Happened happened -> ranked(happened, at);
            case Signal.TaskEnded ended
            when register.knows(ended.tenant(), ended.taskId()) ->
                new InterruptionFact.Over(ended.tenant(), ended.taskId());
            default -> null;
        };
        if (fact == null) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.add(fact);
        return proposal.decision(null);
    }

    private static @Nullable Fact ranked(Signal.Happened happened, Context at) {
        String taskId = happened.event().taskId();
        Double priority = Priority.of(happened.event().payload());
        return priority == null || taskId == null || !at.around().taskLives(at.tenant(), taskId)
                ? null
                : new InterruptionFact.Ranked(at.tenant(), taskId, priority);
    }

    @Override
    public Decision fire(Context at) {
        return rules.fire(at);
    }

    @Override
    public long nextDeadline() {
        Register.Due due = register.first();
        return due == null ? Long.MAX_VALUE : due.interruption().saveBy();
    }

    // --- folding

    @Override
    public boolean holds(int kind) {
        return kind >= KINDS_FROM && kind <= KINDS_TO;
    }

    /** Reads a fact back; null for a kind that is none of its own. */
    public static @Nullable Fact read(int kind, int version, In in) {
        return version == 1 ? InterruptionFact.read(kind, in) : null;
    }

    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof InterruptionFact own)) {
            throw new IllegalStateException("not a fact about interruptions: kind " + fact.kind());
        }
        register.apply(own);
    }

    @Override
    public void snapshot(Out out) {
        register.snapshot(out);
    }

    @Override
    public void restore(In in) {
        register.restore(in);
    }

    // --- asking

    /** The latest interruption of each live task of a tenant that was ever interrupted, with its checkpoint. */
    public List<Json.Obj> list(String tenant) {
        return register.all(tenant).stream().map(Interruption::toJson).toList();
    }
}
