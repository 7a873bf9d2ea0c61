package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides about setting and changing budgets (§11). Changes nothing. */
final class BudgetRules {

    private static final int MOST_ANCESTORS = 64;
    private static final List<String> ENDS = List.of("fail", "cancel", "escalate");

    private final EventRegistry types;

    BudgetRules(EventRegistry types) {
        this.types = types;
    }

    Decision decide(Ledger ledger, Event event, Context at) {
        Json.Obj payload = event.payload();
        String scope = payload.string("scope_type");
        String scopeId = payload.string("scope_id");
        Budget known = scope == null ? ledger.budget(payload.string("budget_id")) : ledger.of(scope, scopeId);
        if (known == null && event.type().name().equals("adaptation.budget.adjusted")) {
            return at.enforceOwnership()
                    ? Decision.refused(
                            ProtocolError.because(
                                    ErrorCode.PROTOCOL_ERROR, "unknown_budget", "there is no such budget"),
                            null)
                    : plain(at);
        }
        ProtocolError refusal = form(payload, scope, scopeId);
        if (refusal == null) {
            refusal = authority(known, event, at);
        }
        if (refusal == null && known == null && ledger.isFull()) {
            refusal = ProtocolError.because(ErrorCode.NOT_SUPPORTED, "too_many", "the tenant has too many budgets");
        }
        if (refusal != null) {
            return Decision.refused(refusal, null);
        }
        Budget wanted = known == null ? fresh(event, at) : changed(known, event);
        refusal = above(ledger, wanted, payload, at);
        if (refusal != null) {
            return Decision.refused(refusal, null);
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        proposal.add(new AdaptationFact.BudgetSet(at.tenant(), wanted));
        return proposal.decision(null);
    }

    private Decision plain(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        return proposal.decision(null);
    }

    private static @Nullable ProtocolError form(Json.Obj payload, @Nullable String scope, @Nullable String scopeId) {
        if (scope != null && (scopeId == null || scopeId.isEmpty())) {
            return ProtocolError.invalidPayload("payload.scope_id", "what the budget is for", "nothing");
        }
        if (scope == null && payload.string("budget_id") == null) {
            return ProtocolError.invalidPayload("payload.budget_id", "an id, or a scope_type", "nothing");
        }
        String end = end(payload);
        return end == null || ENDS.contains(end)
                ? null
                : ProtocolError.mismatch(
                        ErrorCode.INVALID_CAPABILITY, "payload.on_budget_exhausted", String.join("|", ENDS), end);
    }

    private static @Nullable String end(Json.Obj payload) {
        Json.Obj budget = payload.object("budget");
        String inside = budget == null ? null : budget.string("on_budget_exhausted");
        return inside == null ? payload.string("on_budget_exhausted") : inside;
    }

    // --- who may

    /** Only who stands above may set one, only who set it may change it, and only knowing what he changes. */
    private static @Nullable ProtocolError authority(@Nullable Budget known, Event event, Context at) {
        if (!at.enforceOwnership()) {
            return null;
        }
        Json.Obj authority = event.payload().object("authority");
        String issuer = authority == null ? null : authority.string("issuer");
        String capability = authority == null ? null : authority.string("capability");
        if (issuer != null && !issuer.equals(at.actor())) {
            return ProtocolError.unauthorized("forged_issuer", "authority.issuer is not the one who sets the budget")
                    .with("path", "payload.authority.issuer");
        }
        if (capability != null && !capability.equals("budget.establish")) {
            return ProtocolError.invalidPayload("payload.authority.capability", "budget.establish", capability);
        }
        if (!delegates(event.payload().array("delegation_chain"), at.actor())) {
            return ProtocolError.unauthorized("not_delegator", "the chain does not have the issuer as a delegator")
                    .with("path", "payload.delegation_chain");
        }
        if (known == null) {
            return null;
        }
        if (known.issuer().equals(Proposal.HUB)) {
            return exceeds(changed(known, event), known);
        }
        if (!known.issuer().equals(at.actor())) {
            return ProtocolError.unauthorized("not_issuer", "only who set the budget changes it")
                    .with("issuer", known.issuer());
        }
        boolean established = event.type().name().equals("adaptation.budget.established");
        return established && !known.eventId().equals(event.causationId())
                ? ProtocolError.because(
                                ErrorCode.CONFLICT, "not_current", "causation_id must name the event that set it last")
                        .with("established_by", known.eventId())
                : null;
    }

    private static boolean delegates(Json.@Nullable Arr chain, String actor) {
        if (chain == null || chain.items().isEmpty()) {
            return true;
        }
        for (Json link : chain.items()) {
            boolean own = link instanceof Json.Obj one
                    && actor.equals(one.string("agent_id"))
                    && !"delegate".equals(one.string("role"));
            if (own) {
                return true;
            }
        }
        return false;
    }

    // --- what it says

    private static Budget fresh(Event event, Context at) {
        Json.Obj payload = event.payload();
        String scope = payload.string("scope_type");
        String scopeId = payload.string("scope_id");
        String id = payload.string("budget_id");
        String end = end(payload);
        Budget empty = new Budget(
                id == null ? scope + ":" + scopeId : id,
                scope == null ? "" : scope,
                scopeId == null ? "" : scopeId,
                at.actor(),
                event.id(),
                at.now(),
                Budget.WARNING_RATIO,
                end == null ? "fail" : end,
                Meter.NONE,
                Meter.NONE,
                Meter.NONE);
        return changed(empty, event);
    }

    private static Budget changed(Budget known, Event event) {
        Json.Obj payload = event.payload();
        Json.Obj limits = payload.object("budget");
        Double simple = payload.number("limit") == null ? payload.number("new_limit") : payload.number("limit");
        Double cost = limits == null ? simple : limits.number("max_cost_usd_millicents");
        Double actions = limits == null ? null : limits.number("max_actions");
        Double duration = limits == null ? null : limits.number("max_duration_ms");
        Double ratio = limits == null ? null : limits.number("warning_ratio");
        double warnAt = ratio == null ? known.warningRatio() : ratio;
        String end = end(payload);
        return new Budget(
                known.id(),
                known.scopeType(),
                known.scopeId(),
                known.issuer(),
                event.id(),
                known.at(),
                warnAt,
                end == null ? known.onExhausted() : end,
                cost == null ? known.cost() : known.cost().with(cost, warnAt),
                actions == null ? known.actions() : known.actions().with(actions, warnAt),
                duration == null ? known.duration() : known.duration().with(duration, warnAt));
    }

    // --- what stands above

    /** Nobody passes on more than there is above. */
    private static @Nullable ProtocolError above(Ledger ledger, Budget wanted, Json.Obj payload, Context at) {
        String goal = payload.string("goal_id");
        Budget bound = wanted.scopeType().equals("goal") ? null : ledger.of("goal", goal);
        ProtocolError refusal = bound == null ? null : exceeds(wanted, bound);
        String task = wanted.scopeType().equals("task") ? at.around().taskParent(at.tenant(), wanted.scopeId()) : null;
        for (int i = 0; refusal == null && task != null && i < MOST_ANCESTORS; i++) {
            bound = ledger.of("task", task);
            refusal = bound == null ? null : exceeds(wanted, bound);
            task = at.around().taskParent(at.tenant(), task);
        }
        return refusal;
    }

    private static @Nullable ProtocolError exceeds(Budget wanted, Budget above) {
        for (Measure measure : Measure.values()) {
            Meter bound = above.of(measure);
            Meter own = wanted.of(measure);
            if (bound.limited() && own.limited() && own.limit() > bound.limit()) {
                return ProtocolError.because(
                                ErrorCode.BUDGET_EXCEEDED, "above_parent", "a budget below another must not exceed it")
                        .with("scope_type", above.scopeType())
                        .with("scope_id", above.scopeId())
                        .with("dimension", measure.wire())
                        .with("limit", Meter.plain(bound.limit()));
            }
        }
        return null;
    }
}
