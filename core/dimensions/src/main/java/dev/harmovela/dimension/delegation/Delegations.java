package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.ChainRights;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The delegations of the tasks of a shard: a task has one owner at any time, and changes hands only by a proof that the
 * hub made (§9, §10, D29). For one thread.
 */
public final class Delegations implements DimensionState {

    private static final int KINDS_FROM = 600;
    private static final int KINDS_TO = 609;

    private final Register register = new Register();
    private final DelegationRules rules;
    private final EventRegistry types;

    public Delegations(EventRegistry types) {
        this.types = types;
        rules = new DelegationRules(register, types);
    }

    @Override
    public String name() {
        return "delegations";
    }

    @Override
    public boolean decides(EventType type) {
        return type.in("delegation");
    }

    @Override
    public Decision decide(Event event, Context at) {
        return rules.decide(event, at);
    }

    /** Work that an owner asks for in the course of a task that it was given. */
    @Override
    public boolean guards(EventType type) {
        return switch (type.name()) {
            case "command.requested", "query.requested", "tool.call.requested" -> true;
            default -> false;
        };
    }

    /** What was given for a task bounds what is done for it, and so does what those above hold at this moment. */
    @Override
    public Decision check(Event event, Context at) {
        String task = event.taskId();
        if (task == null || !at.enforceOwnership()) {
            return Decision.NOTHING;
        }
        List<String> chain = register.chain(at.tenant(), task);
        if (chain.isEmpty() || !chain.getLast().equals(at.actor())) {
            return Decision.NOTHING;
        }
        List<String> needed = ChainRights.needed(event.payload());
        List<String> given = register.given(at.tenant(), task, at.actor());
        ProtocolError refusal = given.isEmpty() || given.containsAll(needed)
                ? ChainRights.lacking(needed, chain, at)
                : ProtocolError.unauthorized("beyond_delegation", "the task was given for less")
                        .with("path", "payload.authorization_scope")
                        .with("given", String.join(" ", given));
        return refusal == null ? Decision.NOTHING : Decision.refused(refusal, task);
    }

    /** The end of a task is the end of its delegation; its chain is forgotten with it. */
    @Override
    public Decision react(Signal signal, Context at) {
        boolean concerns =
                signal instanceof Signal.TaskEnded ended && register.find(ended.tenant(), ended.taskId()) != null;
        if (!concerns) {
            return Decision.NOTHING;
        }
        Proposal proposal = new Proposal(at, types);
        proposal.add(new DelegationFact.Over(signal.tenant(), ((Signal.TaskEnded) signal).taskId()));
        return proposal.decision(null);
    }

    @Override
    public Decision fire(Context at) {
        return rules.fire(at);
    }

    @Override
    public long nextDeadline() {
        Register.Due due = register.first();
        return due == null ? Long.MAX_VALUE : due.delegation().answerBy();
    }

    // --- folding

    @Override
    public boolean holds(int kind) {
        return kind >= KINDS_FROM && kind <= KINDS_TO;
    }

    /** Reads a fact back; null for a kind that is none of its own. */
    public static @Nullable Fact read(int kind, int version, In in) {
        return version == 1 ? DelegationFact.read(kind, in) : null;
    }

    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof DelegationFact own)) {
            throw new IllegalStateException("not a fact about delegations: kind " + fact.kind());
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

    /** Who deals with a task in the place of one who passed it up, null when nobody does. */
    public @Nullable String standIn(String tenant, String taskId, String identity) {
        return register.asides().standIn(tenant, taskId, identity);
    }

    /** The latest delegation of each live task of a tenant, with the chain of those who had it. */
    public List<Json.Obj> list(String tenant) {
        return register.all(tenant).stream()
                .map(one -> one.toJson(register.chain(tenant, one.taskId())))
                .toList();
    }
}
