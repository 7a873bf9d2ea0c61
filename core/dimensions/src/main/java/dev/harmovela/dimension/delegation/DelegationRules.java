package dev.harmovela.dimension.delegation;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides about {@code delegation.*} (§9, §10, D29). Changes nothing. */
final class DelegationRules {

    private static final long TOKEN_SECONDS = 300;
    private static final long SKEW_SECONDS = 60;
    private static final int MOST_ANCESTORS = 64;

    private final Register register;
    private final EventRegistry types;
    private final Requests requests;

    DelegationRules(Register register, EventRegistry types) {
        this.register = register;
        this.types = types;
        requests = new Requests(register, types);
    }

    Decision decide(Event event, Context at) {
        String taskId = event.taskId() == null ? event.payload().string("task_id") : event.taskId();
        if (taskId == null) {
            return Decision.refused(
                    ProtocolError.invalidEnvelope("task_id", "the task whose ownership moves", "nothing"), null);
        }
        if (event.type().name().equals("delegation.requested")) {
            return requests.decide(taskId, event, at);
        }
        Delegation known = register.find(at.tenant(), taskId);
        if (known == null) {
            return at.enforceOwnership()
                    ? Decision.refused(
                            Words.refusal("unknown_delegation", taskId, "nobody delegated that task"), taskId)
                    : plain(at);
        }
        return switch (event.type().name()) {
            case "delegation.accepted" -> accepted(known, event, at);
            case "delegation.rejected" -> rejected(known, event, at);
            case "delegation.escalated" -> escalated(known, event, at);
            case "delegation.handoff.completed" -> handedOver(known, event, at);
            default -> plain(at);
        };
    }

    private Proposal proposal(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        return proposal;
    }

    private Decision plain(Context at) {
        return proposal(at).decision(null);
    }

    private static Decision refused(ProtocolError error, Delegation known) {
        return Decision.refused(error, known.taskId());
    }

    private static boolean isDelegate(Delegation known, Context at) {
        return !at.enforceOwnership()
                || at.is(known.to())
                || at.around().members(at.tenant(), known.to()).contains(at.actor());
    }

    private static Decision stranger(Delegation known) {
        return refused(
                Words.refusal("not_delegate", known.taskId(), "only " + known.to() + " answers this delegation")
                        .with("delegated_to", known.to()),
                known);
    }

    /** The other side hears of it even when the event names nobody (D29). */
    private static void pass(Proposal proposal, Delegation known, Event event, String to) {
        if (!to.equals(event.target()) && !to.equals(event.source())) {
            proposal.say(Words.about(proposal, event.type().name(), known, to, event.id())
                    .payload(event.payload().with("task_id", Json.of(known.taskId()))));
        }
    }

    // --- answers

    /** The first who accepts has it; everybody else is told who that was. */
    private Decision accepted(Delegation known, Event event, Context at) {
        if (known.state() == DelegationState.ACCEPTED && at.actor().equals(known.to())) {
            return Decision.known(known.taskId());
        }
        if (DelegationLifecycle.TABLE.next(known.state(), DelegationEvent.ACCEPTED) == null) {
            String owner = at.around().taskOwner(at.tenant(), known.taskId());
            ProtocolError error = Words.illegal(known, DelegationEvent.ACCEPTED);
            return refused(owner == null ? error : error.with("owner", owner), known);
        }
        if (!isDelegate(known, at)) {
            return stranger(known);
        }
        List<String> chain = register.chain(at.tenant(), known.taskId());
        if (at.enforceOwnership() && (chain.contains(at.actor()) || at.actor().equals(known.by()))) {
            return refused(
                    Words.refusal("loop", known.taskId(), "the task does not go back to who had it")
                            .with("chain", String.join(" ", chain)),
                    known);
        }
        Proposal proposal = proposal(at);
        if (!at.enforceOwnership()) {
            proposal.add(new DelegationFact.Set(at.tenant(), known.acceptedBy(known.to(), "")));
            return proposal.decision(known.taskId());
        }
        String jti = proposal.newId("jti");
        Delegation taken = known.acceptedBy(at.actor(), jti);
        proposal.add(new DelegationFact.Set(at.tenant(), taken));
        String key = register.key();
        if (key.isEmpty()) {
            key = at.around().secret();
            proposal.add(new DelegationFact.KeyMade(key));
        }
        long seconds = at.now() / 1000;
        HandoffToken token = new HandoffToken(
                known.by(), at.actor(), known.taskId(), known.parentId(), seconds, seconds + TOKEN_SECONDS, jti);
        proposal.say(Words.about(proposal, "delegation.accepted", taken, known.by(), event.id())
                .member("handoff_token", Json.of(token.signed(key)))
                .payload(event.payload().with("task_id", Json.of(known.taskId()))));
        return proposal.decision(known.taskId());
    }

    /** The delegate does not want it, or the delegator wants it back. */
    private Decision rejected(Delegation known, Event event, Context at) {
        List<String> above = register.chain(at.tenant(), known.taskId());
        boolean takesBack = at.enforceOwnership()
                && !at.actor().equals(known.to())
                && (at.actor().equals(known.by())
                        || above.contains(at.actor())
                        || (at.supervisor() && !at.is(known.to())));
        DelegationEvent kind = takesBack ? DelegationEvent.REVOKED : DelegationEvent.REJECTED;
        DelegationState next = DelegationLifecycle.TABLE.next(known.state(), kind);
        if (next == null) {
            return refused(Words.illegal(known, kind), known);
        }
        if (!takesBack && !isDelegate(known, at)) {
            return stranger(known);
        }
        Proposal proposal = proposal(at);
        if (takesBack) {
            revoke(proposal, known, event, at);
        } else if (othersMayWant(known, at)) {
            proposal.add(new DelegationFact.Declined(at.tenant(), known.taskId(), at.actor()));
        } else {
            pass(proposal, known, event, known.by());
            over(proposal, known, next, at);
        }
        return proposal.decision(known.taskId());
    }

    /** A member of a pool speaks for itself; the others may still want it, unless they said that they do not. */
    private boolean othersMayWant(Delegation known, Context at) {
        Set<String> gone = register.asides().declined(at.tenant(), known.taskId());
        return known.state() != DelegationState.ACCEPTED
                && !at.actor().equals(known.to())
                && at.around().members(at.tenant(), known.to()).stream()
                        .anyMatch(one -> !one.equals(at.actor()) && !one.equals(known.by()) && !gone.contains(one));
    }

    /** It came to nothing: the next one is asked, or the delegator keeps it. */
    private void over(Proposal proposal, Delegation known, DelegationState end, Context at) {
        List<String> chain = register.chain(at.tenant(), known.taskId());
        Delegation last = known;
        while (!last.fallback().isEmpty() && !mayBeAsked(last.fallback().getFirst(), known, chain, at)) {
            last = last.next(known.requestId(), Long.MAX_VALUE).in(end);
        }
        if (last.fallback().isEmpty()) {
            proposal.add(new DelegationFact.Set(at.tenant(), known.in(end)));
            return;
        }
        Delegation next = last.next(known.requestId(), at.now() + Requests.OFFLINE_MS);
        proposal.add(new DelegationFact.Set(at.tenant(), next));
        Requests.ask(
                proposal,
                next,
                List.of(),
                Json.Obj.builder().put("fallback", true).build(),
                at);
    }

    /** Whether somebody of a fallback can be asked: known, and none of those who had the task. */
    private static boolean mayBeAsked(String next, Delegation known, List<String> chain, Context at) {
        return !chain.contains(next)
                && !next.equals(known.by())
                && (at.around().knows(at.tenant(), next)
                        || !at.around().members(at.tenant(), next).isEmpty());
    }

    /**
     * What was given is taken back, for the task and for everything below it, at once. Who takes it back has it again:
     * one who had it before, or in whose place a supervisor acts.
     */
    private void revoke(Proposal proposal, Delegation known, Event event, Context at) {
        List<String> chain = register.chain(at.tenant(), known.taskId());
        String heir = chain.contains(at.actor()) ? at.actor() : known.by();
        pass(proposal, known, event, known.to());
        if (known.state() == DelegationState.COMPLETED || !heir.equals(known.by())) {
            String owner = known.state() == DelegationState.COMPLETED ? known.to() : known.by();
            moveBack(proposal, known, owner, heir, event.id());
        }
        proposal.add(new DelegationFact.Set(at.tenant(), known.in(DelegationState.REVOKED)));
        register.all(at.tenant()).stream()
                .filter(below -> (below.state().open() || below.state() == DelegationState.COMPLETED)
                        && isBelow(below, known.taskId(), at))
                .limit(Decision.MAX_EVENTS / 4)
                .forEach(below -> revokeBelow(proposal, below, heir, event.id()));
    }

    private static void revokeBelow(Proposal proposal, Delegation below, String heir, String cause) {
        Words.rejected(proposal, below, "revoked_above", Json.Obj.of(), cause);
        if (below.state() == DelegationState.COMPLETED) {
            proposal.say(Words.about(proposal, "delegation.rejected", below, below.to(), cause)
                    .payload(Json.Obj.builder()
                            .put("task_id", below.taskId())
                            .put("reason", "revoked_above")
                            .build()));
            moveBack(proposal, below, below.to(), heir, cause);
        }
        proposal.add(new DelegationFact.Set(proposal.tenant(), below.in(DelegationState.REVOKED)));
    }

    private static void moveBack(Proposal proposal, Delegation known, String from, String heir, String cause) {
        proposal.signal(new Signal.MoveOwner(proposal.tenant(), known.taskId(), heir, cause));
        proposal.add(new DelegationFact.Hop(proposal.tenant(), known.taskId(), from, heir, List.of()));
    }

    private static boolean isBelow(Delegation one, String taskId, Context at) {
        String above = one.parentId();
        for (int i = 0; above != null && i < MOST_ANCESTORS; i++) {
            if (above.equals(taskId)) {
                return true;
            }
            above = at.around().taskParent(at.tenant(), above);
        }
        return false;
    }

    // --- passing it up

    /**
     * The delegate asks somebody above; tokens made so far prove nothing any more. Passed up to the delegator it is his
     * again, and there is nothing left to hand over.
     */
    private Decision escalated(Delegation known, Event event, Context at) {
        if (DelegationLifecycle.TABLE.next(known.state(), DelegationEvent.ESCALATED) == null) {
            return refused(Words.illegal(known, DelegationEvent.ESCALATED), known);
        }
        if (!isDelegate(known, at)) {
            return stranger(known);
        }
        String named = event.payload().string("escalated_to");
        String supervisor = named != null ? named : supervisor(known, event, at);
        if (at.enforceOwnership() && !at.around().knows(at.tenant(), supervisor)) {
            return refused(
                    Words.refusal("unknown_target", known.taskId(), "nobody of that name was ever here")
                            .with("path", "payload.escalated_to"),
                    known);
        }
        Proposal proposal = proposal(at);
        boolean back = supervisor.equals(known.by());
        Delegation up = back ? known.in(DelegationState.REJECTED) : known.escalatedTo(supervisor);
        proposal.add(new DelegationFact.Set(at.tenant(), up));
        proposal.add(new DelegationFact.PassedUp(at.tenant(), known.taskId(), known.to(), supervisor));
        if (known.state() == DelegationState.COMPLETED) {
            proposal.signal(new Signal.MoveOwner(at.tenant(), known.taskId(), supervisor, event.id()));
            proposal.add(new DelegationFact.Hop(at.tenant(), known.taskId(), known.to(), supervisor, known.scopes()));
        }
        if (at.enforceOwnership()) {
            pass(proposal, up, event, supervisor);
        }
        return proposal.decision(known.taskId());
    }

    /** The first of those proposed who is there, else the delegator. */
    private static String supervisor(Delegation known, Event event, Context at) {
        return event.payload().strings("supervisors").stream()
                .filter(one -> at.around().attached(at.tenant(), one))
                .findFirst()
                .orElse(known.by());
    }

    // --- handing over

    private Decision handedOver(Delegation known, Event event, Context at) {
        if (DelegationLifecycle.TABLE.next(known.state(), DelegationEvent.HANDED_OVER) == null) {
            String token = Words.member(event, "handoff_token");
            HandoffToken said = token == null ? null : HandoffToken.verified(token, register.key());
            boolean replayed = said != null && register.isUsed(said.jti());
            return refused(
                    replayed
                            ? Words.refusal("token_replayed", known.taskId(), "the token was used before")
                            : Words.illegal(known, DelegationEvent.HANDED_OVER),
                    known);
        }
        Proposal proposal = proposal(at);
        if (at.enforceOwnership()) {
            ProtocolError wrong = wrongToken(known, event, at);
            wrong = wrong == null ? claimedByAnother(known, at) : wrong;
            if (wrong != null) {
                return refused(wrong, known);
            }
            proposal.add(new DelegationFact.TokenUsed(known.jti(), at.now() + 2 * TOKEN_SECONDS * 1000));
            pass(proposal, known, event, known.to());
        }
        proposal.add(new DelegationFact.Set(at.tenant(), known.in(DelegationState.COMPLETED)));
        proposal.add(new DelegationFact.Hop(at.tenant(), known.taskId(), known.by(), known.to(), known.scopes()));
        proposal.signal(new Signal.MoveOwner(at.tenant(), known.taskId(), known.to(), event.id()));
        return proposal.decision(known.taskId());
    }

    /** Somebody may have taken the task before it was handed over: then there is nothing to hand over any more. */
    private static @Nullable ProtocolError claimedByAnother(Delegation known, Context at) {
        String owner = at.around().taskOwner(at.tenant(), known.taskId());
        return owner == null || owner.equals(known.by()) || owner.equals(known.to())
                ? null
                : Words.refusal("not_owner", known.taskId(), "somebody else has taken the task")
                        .with("owner", owner);
    }

    /** Everything that a token has to say is checked before anything moves (§9). */
    private @Nullable ProtocolError wrongToken(Delegation known, Event event, Context at) {
        String text = Words.member(event, "handoff_token");
        HandoffToken token = text == null ? null : HandoffToken.verified(text, register.key());
        String to = Words.member(event, "delegated_to");
        long seconds = at.now() / 1000;
        String reason = null;
        if (text == null) {
            reason = "token_missing";
        } else if (token == null) {
            reason = "token_foreign";
        } else if (register.isUsed(token.jti())) {
            reason = "token_replayed";
        } else if (!token.issuer().equals(known.by()) || !token.issuer().equals(at.actor())) {
            reason = "token_issuer";
        } else if (!token.subject().equals(known.to()) || (to != null && !to.equals(token.subject()))) {
            reason = "token_delegate";
        } else if (!token.taskId().equals(known.taskId())) {
            reason = "token_task";
        } else if (token.expiresAt() <= seconds) {
            reason = "token_expired";
        } else if (token.issuedAt() > seconds + SKEW_SECONDS) {
            reason = "token_from_the_future";
        } else if (!token.jti().equals(known.jti())) {
            reason = "token_superseded";
        }
        return reason == null
                ? null
                : Words.refusal(reason, known.taskId(), "the handover is not proved")
                        .with("path", "handoff_token");
    }

    // --- time

    /** Who was asked has not answered. */
    Decision fire(Context at) {
        Register.Due due = register.first();
        if (due == null || due.delegation().answerBy() > at.now()) {
            return Decision.NOTHING;
        }
        Delegation late = due.delegation();
        Proposal proposal = new Proposal(due.tenant(), at.now(), at.nextLsn(), at.ids(), types);
        proposal.noInput();
        boolean away = !at.around().attached(due.tenant(), late.to());
        Words.rejected(proposal, late, away ? "target_offline" : "timeout", Json.Obj.of(), late.requestId());
        Context ours = new Context(at.now(), Context.Speaker.hub(due.tenant()), at.nextLsn(), at.ids(), at.around());
        over(proposal, late, DelegationState.LAPSED, ours);
        proposal.moreToCome();
        return proposal.decision(late.taskId());
    }
}
