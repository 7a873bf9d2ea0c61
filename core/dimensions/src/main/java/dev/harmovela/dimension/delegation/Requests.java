package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.ChainRights;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides about {@code delegation.requested}: who may hand over what to whom (§10, D29). Changes nothing. */
final class Requests {

    /** A task changes hands at most so often. */
    static final int MOST_HOPS = 8;

    /** How long an absent delegate is waited for when the request does not say. */
    static final long OFFLINE_MS = 60_000;

    /** A pool is asked through so many of its members. */
    private static final int MOST_ASKED = 64;

    private static final int MOST_ANCESTORS = 64;
    private static final int MOST_OF_TENANT = 100_000;

    private final Register register;
    private final EventRegistry types;

    Requests(Register register, EventRegistry types) {
        this.register = register;
        this.types = types;
    }

    Decision decide(String taskId, Event event, Context at) {
        String by = Words.member(event, "delegated_by") == null ? at.actor() : Words.member(event, "delegated_by");
        Delegation asked = wanted(taskId, String.valueOf(by), event);
        ProtocolError refusal = refusal(asked, at);
        if (refusal != null) {
            return Decision.refused(refusal, taskId);
        }
        Delegation wanted = asked.scopes().isEmpty() ? asked.within(bound(asked, at)) : asked;
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        adopt(proposal, wanted, event, at);
        String hopeless = hopeless(wanted, at);
        if (hopeless != null) {
            turnedDown(proposal, wanted, hopeless, event.id());
            return proposal.decision(taskId);
        }
        begin(proposal, wanted.to().equals(event.target()) ? "" : wanted.to(), wanted, event, at);
        return proposal.decision(taskId);
    }

    private static Delegation wanted(String taskId, String by, Event event) {
        Json.Obj payload = event.payload();
        String to = Words.member(event, "delegated_to");
        List<String> scopes = ChainRights.needed(payload);
        List<String> fallback = payload.strings("fallback");
        return new Delegation(
                taskId,
                event.parentTaskId(),
                by,
                to == null ? "" : to,
                DelegationState.REQUESTED,
                event.id(),
                event.correlationId(),
                scopes.subList(0, Math.min(scopes.size(), Delegation.MOST_SCOPES)),
                fallback.subList(0, Math.min(fallback.size(), Delegation.MOST_FALLBACKS)),
                Long.MAX_VALUE,
                "");
    }

    // --- who may

    private @Nullable ProtocolError refusal(Delegation wanted, Context at) {
        String taskId = wanted.taskId();
        Delegation known = register.find(at.tenant(), taskId);
        if (known != null && known.state().open()) {
            return Words.refusal("open_delegation", taskId, "the task is being handed over already")
                    .with("delegated_by", known.by())
                    .with("delegated_to", known.to())
                    .with("request_id", known.requestId());
        }
        if (known == null && register.count(at.tenant()) >= MOST_OF_TENANT) {
            return Words.refusal("too_many", taskId, "the tenant hands over too much at a time");
        }
        boolean exists = at.around().taskExists(at.tenant(), taskId);
        if (exists && !at.around().taskLives(at.tenant(), taskId)) {
            return at.enforceOwnership() ? Words.refusal("ended", taskId, "the task has ended") : null;
        }
        if (!at.enforceOwnership()) {
            return null;
        }
        if (!wanted.by().equals(at.actor())) {
            return ProtocolError.unauthorized("forged_delegator", "delegated_by is not the one who delegates")
                    .with("path", "delegated_by");
        }
        String owner = at.around().taskOwner(at.tenant(), taskId);
        boolean own = !exists
                || at.actor().equals(owner)
                || (owner == null && at.actor().equals(at.around().taskSubmitter(at.tenant(), taskId)));
        if (!own) {
            return Words.refusal("not_owner", taskId, "only its owner hands a task over")
                    .with("owner", owner == null ? "" : owner);
        }
        ProtocolError widened = widened(wanted, at);
        return widened == null
                ? ChainRights.lacking(wanted.scopes(), register.chain(at.tenant(), taskId), at)
                : widened;
    }

    /** Authority is never widened along the chain: what was given for the task, or one above it, bounds it. */
    private @Nullable ProtocolError widened(Delegation wanted, Context at) {
        List<String> bound = bound(wanted, at);
        return bound.isEmpty() || bound.containsAll(wanted.scopes())
                ? null
                : Words.refusal("widened_authority", wanted.taskId(), "more is passed on than was given")
                        .with("path", "payload.authorization_scope")
                        .with("given", String.join(" ", bound));
    }

    /** What the delegator was given the task for, or the nearest one above it; empty when it may do everything. */
    private List<String> bound(Delegation wanted, Context at) {
        String task = wanted.taskId();
        for (int i = 0; task != null && i < MOST_ANCESTORS; i++) {
            List<String> given = register.given(at.tenant(), task, wanted.by());
            if (!given.isEmpty()) {
                return given;
            }
            String above = at.around().taskParent(at.tenant(), task);
            task = i == 0 && above == null ? wanted.parentId() : above;
        }
        return List.of();
    }

    // --- what comes of it

    /** Work that nobody submitted comes to exist by being handed over, below the task that is named (D29). */
    private static void adopt(Proposal proposal, Delegation wanted, Event event, Context at) {
        String parent = wanted.parentId();
        if (parent != null && !at.around().taskExists(at.tenant(), parent)) {
            proposal.signal(new Signal.AdoptTask(at.tenant(), parent, null, wanted.by(), event.id()));
        }
        if (!at.around().taskExists(at.tenant(), wanted.taskId())) {
            proposal.signal(new Signal.AdoptTask(at.tenant(), wanted.taskId(), parent, wanted.by(), event.id()));
        }
    }

    /** Why it cannot come to anything, null when it can. */
    private @Nullable String hopeless(Delegation wanted, Context at) {
        if (wanted.to().isEmpty()) {
            return "missing_target";
        }
        if (wanted.to().equals(wanted.by())) {
            return "loop";
        }
        List<String> chain = register.chain(at.tenant(), wanted.taskId());
        if (chain.contains(wanted.to()) || chain.size() > MOST_HOPS) {
            return "loop";
        }
        boolean known = !at.enforceOwnership()
                || at.around().knows(at.tenant(), wanted.to())
                || !at.around().members(at.tenant(), wanted.to()).isEmpty();
        return known ? null : "unknown_target";
    }

    private void turnedDown(Proposal proposal, Delegation wanted, String reason, String cause) {
        List<String> chain = new ArrayList<>(register.chain(proposal.tenant(), wanted.taskId()));
        Json.Obj more = reason.equals("loop")
                ? Json.Obj.builder()
                        .put("chain", chain)
                        .put("max_hops", MOST_HOPS)
                        .build()
                : Json.Obj.of();
        Words.rejected(proposal, wanted, reason, more, cause);
        proposal.add(new DelegationFact.Set(proposal.tenant(), wanted.in(DelegationState.REJECTED)));
        if (reason.equals("loop") && !register.loopTold(proposal.tenant(), wanted.taskId())) {
            String above = chain.isEmpty() ? wanted.by() : chain.getFirst();
            proposal.say(Words.about(proposal, "delegation.escalated", wanted, above, cause)
                    .payload(Json.Obj.builder()
                            .put("task_id", wanted.taskId())
                            .put("reason", "loop")
                            .put("escalated_to", above)
                            .put("chain", chain)
                            .build()));
            proposal.add(new DelegationFact.LoopTold(proposal.tenant(), wanted.taskId()));
        }
    }

    /** Asks; {@code copyTo} gets a copy of the hub's when the request itself does not reach it. */
    private static void begin(Proposal proposal, String copyTo, Delegation wanted, Event event, Context at) {
        Json.Obj payload = event.payload();
        Long timeout = payload.integer("timeout_ms");
        boolean away = at.enforceOwnership() && !at.around().attached(at.tenant(), wanted.to());
        if (away && "reject".equals(payload.string("offline"))) {
            Words.rejected(proposal, wanted, "target_offline", Json.Obj.of(), event.id());
            proposal.add(new DelegationFact.Set(at.tenant(), wanted.in(DelegationState.REJECTED)));
            return;
        }
        boolean pool = !at.around().members(at.tenant(), wanted.to()).isEmpty();
        long usual = away || pool ? at.now() + OFFLINE_MS : Long.MAX_VALUE;
        long answerBy = timeout != null ? at.now() + timeout : usual;
        Delegation asked = new Delegation(
                wanted.taskId(),
                wanted.parentId(),
                wanted.by(),
                wanted.to(),
                DelegationState.REQUESTED,
                wanted.requestId(),
                wanted.correlationId(),
                wanted.scopes(),
                wanted.fallback(),
                answerBy,
                "");
        proposal.add(new DelegationFact.Set(at.tenant(), asked));
        if (at.enforceOwnership()) {
            ask(proposal, asked, copyTo.isEmpty() ? List.of(wanted.to()) : List.of(), payload, at);
        }
    }

    /** Tells the delegate, or every member of the pool, that work is offered. */
    static void ask(Proposal proposal, Delegation asked, List<String> reached, Json.Obj payload, Context at) {
        Set<String> who = new LinkedHashSet<>(at.around().members(at.tenant(), asked.to()));
        if (who.isEmpty()) {
            who.add(asked.to());
        }
        reached.forEach(who::remove);
        who.remove(asked.by());
        who.stream()
                .limit(MOST_ASKED)
                .forEach(one ->
                        proposal.say(Words.about(proposal, "delegation.requested", asked, one, asked.requestId())
                                .payload(payload.with("task_id", Json.of(asked.taskId())))));
    }
}
