package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the belief register and the attestations (§9): who believes what, who contradicts whom, and what no longer has
 * the ground that it was derived from.
 */
final class BeliefRules {

    /** At most so many conclusions are told to be in doubt at once. */
    private static final int MOST_DOUBTED = 100;

    private final EventRegistry types;

    BeliefRules(EventRegistry types) {
        this.types = types;
    }

    // --- beliefs

    Decision revised(Beliefs beliefs, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        String id = subject(event.payload());
        if (id == null) {
            return proposal.decision(null);
        }
        Belief before = beliefs.find(id, event.source());
        Belief now = belief(id, event, before);
        if (now.status().equals("retracted")) {
            if (before != null) {
                proposal.add(new KnowledgeFact.BeliefDropped(at.tenant(), id, event.source()));
                doubt(proposal, beliefs, before, event);
            }
            return proposal.decision(null);
        }
        proposal.add(new KnowledgeFact.BeliefHeld(at.tenant(), now));
        boolean changed = before == null || before.content() != now.content();
        if (before != null && (changed || !now.stands())) {
            doubt(proposal, beliefs, before, event);
        }
        if (now.stands() && changed) {
            conflict(proposal, beliefs, now, event);
        }
        return proposal.decision(null);
    }

    private static @Nullable String subject(Json.Obj payload) {
        for (String name : List.of("fact_id", "belief_id", "subject")) {
            String value = payload.string(name);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return null;
    }

    private static Belief belief(String id, Event event, @Nullable Belief before) {
        Json confidence = event.member("confidence");
        return new Belief(
                id,
                event.source(),
                text(event, "belief_status", "revised"),
                text(event, "belief_scope", ""),
                confidence instanceof Json.Num number ? number.doubleValue() : -1,
                content(event.payload().get("corrected")),
                Belief.following(before == null ? List.of() : before.events(), event.id()),
                evidence(event),
                false);
    }

    private static String text(Event event, String member, String otherwise) {
        return event.member(member) instanceof Json.Str text ? text.value() : otherwise;
    }

    /** Tells contents apart; the same in every run. */
    private static long content(@Nullable Json value) {
        long hash = 0xcbf29ce484222325L;
        String text = String.valueOf(value);
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Ids of the events that the belief was derived from. */
    static List<String> evidence(Event event) {
        List<String> ids = new ArrayList<>();
        if (event.member("evidence_chain") instanceof Json.Arr chain) {
            for (Json link : chain.items()) {
                String id = link instanceof Json.Obj one ? one.string("id") : null;
                if (id != null && !ids.contains(id)) {
                    ids.add(id);
                }
            }
        }
        return ids.size() > Belief.EVIDENCE ? ids.subList(ids.size() - Belief.EVIDENCE, ids.size()) : ids;
    }

    /** Others stand by something else about the same thing. */
    private static void conflict(Proposal proposal, Beliefs beliefs, Belief now, Event event) {
        List<Json> sides = new ArrayList<>();
        sides.add(describe(now));
        for (Belief other : beliefs.about(now.id())) {
            boolean contradicts =
                    !other.source().equals(now.source()) && other.stands() && other.content() != now.content();
            if (contradicts) {
                sides.add(describe(other));
            }
        }
        if (sides.size() > 1) {
            proposal.say(proposal.draft("belief.conflict.detected")
                    .causationId(event.id())
                    .correlationId(event.correlationId())
                    .member("belief_status", Json.of("contradicted"))
                    .member("belief_scope", now.scope().isEmpty() ? null : Json.of(now.scope()))
                    .payload(Json.Obj.builder()
                            .put("fact_id", now.id())
                            .put("beliefs", new Json.Arr(sides))
                            .build()));
        }
    }

    /** Whatever was derived from a belief that holds no longer is in doubt, and so is what was derived from that. */
    private static void doubt(Proposal proposal, Beliefs beliefs, Belief gone, Event cause) {
        Set<Belief> doubted = new LinkedHashSet<>();
        List<Belief> open = new ArrayList<>(List.of(gone));
        while (!open.isEmpty() && doubted.size() < MOST_DOUBTED) {
            for (Belief next : beliefs.derivedFrom(open.removeFirst().events())) {
                if (!next.doubted() && doubted.size() < MOST_DOUBTED && doubted.add(next)) {
                    open.add(next);
                }
            }
        }
        for (Belief one : doubted) {
            proposal.add(new KnowledgeFact.BeliefDoubted(proposal.tenant(), one.id(), one.source()));
            proposal.say(proposal.draft("context.invalidated")
                    .target(one.source())
                    .causationId(cause.id())
                    .correlationId(cause.correlationId())
                    .payload(Json.Obj.builder()
                            .put("resource", one.id())
                            .put("reason", "evidence_retracted")
                            .put("event_id", one.lastEvent())
                            .put("retracted", gone.id())
                            .put("retracted_by", cause.source())
                            .build()));
        }
    }

    static Json.Obj describe(Belief belief) {
        Json.Builder told = Json.Obj.builder()
                .put("fact_id", belief.id())
                .put("source", belief.source())
                .put("event_id", belief.lastEvent())
                .put("belief_status", belief.status())
                .put("belief_scope", belief.scope().isEmpty() ? null : belief.scope());
        if (belief.confidence() >= 0) {
            told.put("confidence", belief.confidence());
        }
        return (belief.doubted() ? told.put("doubted", true) : told).build();
    }

    // --- attestations

    Decision attested(Attestations attestations, Event event, Context at) {
        String what = attestedEvent(event);
        if (what != null && attestations.has(what, event.source())) {
            return Decision.known(event.taskId());
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        if (what != null && attestations.of(what).size() < Attestations.MOST_ATTESTERS) {
            proposal.add(new KnowledgeFact.Attested(at.tenant(), what, event.source(), true));
        }
        return proposal.decision(null);
    }

    Decision revoked(Attestations attestations, Event event, Context at) {
        String what = attestedEvent(event);
        boolean attests = what != null && attestations.has(what, event.source());
        if (!attests && at.enforceOwnership()) {
            return Decision.refused(
                    ProtocolError.because(
                            ErrorCode.PROTOCOL_ERROR, "not_attested", "the source attests to nothing of the kind"),
                    event.taskId());
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        if (what != null && attests) {
            proposal.add(new KnowledgeFact.Attested(at.tenant(), what, event.source(), false));
        }
        return proposal.decision(null);
    }

    /** The event that is attested to: the end of the evidence chain, else the cause. */
    private static @Nullable String attestedEvent(Event event) {
        List<String> chain = evidence(event);
        return chain.isEmpty() ? event.causationId() : chain.getLast();
    }
}
