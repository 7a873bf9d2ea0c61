package dev.harmovela.dimension.knowledge;

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
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the agents of a shard know together (§9, §10): versioned state, how long things are fresh, what everybody
 * believes and who attests to it. For one thread.
 */
public final class Knowledge implements DimensionState {

    private static final int KINDS_FROM = 800;
    private static final int KINDS_TO = 829;

    private final Map<String, TenantKnowledge> tenants = new TreeMap<>();
    private final Windows windows = new Windows();
    private final StateRules stateRules;
    private final FreshnessRules freshnessRules;
    private final BeliefRules beliefRules;

    public Knowledge(EventRegistry types) {
        stateRules = new StateRules(types);
        freshnessRules = new FreshnessRules(windows, types);
        beliefRules = new BeliefRules(types);
    }

    @Override
    public String name() {
        return "knowledge";
    }

    private TenantKnowledge of(String tenant) {
        TenantKnowledge known = tenants.get(tenant);
        return known == null ? TenantKnowledge.empty() : known;
    }

    // --- deciding

    @Override
    public boolean decides(EventType type) {
        return switch (type.name()) {
            case "state.updated", "state.invalidated", "state.snapshot.requested" -> true;
            case "belief.revised", "provenance.attestation.added", "provenance.attestation.revoked" -> true;
            default -> false;
        };
    }

    @Override
    public boolean follows(EventType type) {
        return switch (type.name()) {
            case "state.updated", "context.updated", "belief.revised", "environment.observed" -> true;
            case "memory.fact.added", "memory.fact.updated", "memory.fact.invalidated" -> true;
            case "freshness.window.changed", "freshness.expired", "context.invalidated" -> true;
            default -> false;
        };
    }

    @Override
    public Decision decide(Event event, Context at) {
        TenantKnowledge known = of(at.tenant());
        return switch (event.type().name()) {
            case "state.updated" -> stateRules.updated(known.state(), event, at);
            case "state.invalidated" -> stateRules.invalidated(known.state(), event, at);
            case "state.snapshot.requested" -> stateRules.snapshot(known.state(), event, at);
            case "belief.revised" -> beliefRules.revised(known.beliefs(), event, at);
            case "provenance.attestation.added" -> beliefRules.attested(known.attestations(), event, at);
            case "provenance.attestation.revoked" -> beliefRules.revoked(known.attestations(), event, at);
            default -> throw new IllegalStateException("nothing to decide about " + event.type());
        };
    }

    @Override
    public Decision react(Signal signal, Context at) {
        return signal instanceof Signal.Happened happened
                ? freshnessRules.happened(happened.event(), at)
                : Decision.NOTHING;
    }

    @Override
    public Decision fire(Context at) {
        return freshnessRules.fire(at);
    }

    @Override
    public long nextDeadline() {
        return windows.next();
    }

    // --- folding

    @Override
    public boolean holds(int kind) {
        return kind >= KINDS_FROM && kind <= KINDS_TO;
    }

    /** Reads a fact back; null for a kind that is none of its own. */
    public static @Nullable Fact read(int kind, int version, In in) {
        return version == 1 ? KnowledgeFact.read(kind, in) : null;
    }

    @Override
    public void apply(Fact fact) {
        if (!(fact instanceof KnowledgeFact own)) {
            throw new IllegalStateException("not a fact about knowledge: kind " + fact.kind());
        }
        TenantKnowledge known = tenants.computeIfAbsent(own.tenant(), _ -> TenantKnowledge.empty());
        switch (own) {
            case KnowledgeFact.StateSet set -> known.state().set(set.value());
            case KnowledgeFact.StateGone gone -> known.state().gone(gone.key());
            case KnowledgeFact.WindowSet set -> windows.set(set.tenant(), set.window());
            case KnowledgeFact.WindowClosed closed -> {
                windows.close(closed.tenant(), closed.about(), closed.resource());
                if (closed.stale() && closed.about() == Window.About.STATE) {
                    known.state().stale(closed.resource());
                }
            }
            case KnowledgeFact.BeliefHeld held -> known.beliefs().hold(held.belief());
            case KnowledgeFact.BeliefDropped dropped -> known.beliefs().drop(dropped.beliefId(), dropped.source());
            case KnowledgeFact.BeliefDoubted doubted -> known.beliefs().doubt(doubted.beliefId(), doubted.source());
            case KnowledgeFact.Attested attested ->
                known.attestations().set(attested.eventId(), attested.by(), attested.holds());
        }
        if (known.isEmpty()) {
            tenants.remove(own.tenant());
        }
    }

    @Override
    public void snapshot(Out out) {
        out.varint(tenants.size());
        tenants.forEach((tenant, known) -> {
            out.string(tenant);
            known.snapshot(out);
        });
        windows.snapshot(out);
    }

    @Override
    public void restore(In in) {
        for (int n = in.count(); n > 0; n--) {
            tenants.put(in.string(), TenantKnowledge.restore(in));
        }
        windows.restore(in);
    }

    // --- asking

    /** The shared state of a tenant, in the order of the keys. */
    public List<Json.Obj> state(String tenant) {
        return of(tenant).state().all().stream()
                .filter(value -> !value.gone())
                .map(StateValue::toJson)
                .toList();
    }

    /** What is believed in a tenant: one item for each thing and each who believes something about it. */
    public List<Json.Obj> beliefs(String tenant) {
        return of(tenant).beliefs().all().stream().map(BeliefRules::describe).toList();
    }

    /** The events of a tenant that somebody attests to, with those who do. */
    public List<Json.Obj> attestations(String tenant) {
        return of(tenant).attestations().describe();
    }
}
