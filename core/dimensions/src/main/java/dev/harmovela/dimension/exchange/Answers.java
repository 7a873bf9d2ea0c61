package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import org.jspecify.annotations.Nullable;

/** Decides about what targets answer, and about silence (§10, D28). Changes nothing. */
final class Answers {

    /** So long an answer is remembered, so that a second one is known as such. */
    private static final long REMEMBERED_MS = 300_000;

    private final Register register;
    private final EventRegistry types;

    Answers(Register register, EventRegistry types) {
        this.register = register;
        this.types = types;
    }

    Decision decide(Kind kind, Event event, Context at) {
        Exchange known = find(kind, event, at);
        if (known == null) {
            return at.enforceOwnership() ? Decision.refused(unknown(kind, event), event.taskId()) : plain(at);
        }
        boolean own = at.is(known.target())
                || at.around().members(at.tenant(), known.target()).contains(at.actor());
        if (!own) {
            return Decision.refused(
                    ProtocolError.unauthorized("not_target", "only the target answers")
                            .with("correlation_id", known.correlationId()),
                    event.taskId());
        }
        boolean good = event.type().name().equals("command.completed")
                || event.type().name().equals("query.response");
        ExchangeEvent kindOf = good ? ExchangeEvent.COMPLETED : ExchangeEvent.FAILED;
        ExchangeState next = ExchangeLifecycle.TABLE.next(known.state(), kindOf);
        if (next == null) {
            return Decision.refused(answered(kind, known, event), event.taskId());
        }
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        EventDraft said = EventDraft.of(event).target(known.requester());
        if (kind == Kind.QUERY && good) {
            ProtocolError stale = version(proposal, known, event, said);
            if (stale != null) {
                return Decision.refused(stale, event.taskId());
            }
        }
        proposal.say(said);
        proposal.add(new ExchangeFact.Set(at.tenant(), known.in(next, at.now() + REMEMBERED_MS)));
        return proposal.decision(event.taskId());
    }

    private Decision plain(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        return proposal.decision(null);
    }

    /** The request is named by its event, or by whose answer it is and its correlation. */
    private @Nullable Exchange find(Kind kind, Event event, Context at) {
        Exchange caused = register.ofRequest(at.tenant(), event.causationId());
        String correlation = event.correlationId();
        if (caused != null && caused.kind() == kind && caused.correlationId().equals(correlation)) {
            return caused;
        }
        String requester = event.target();
        if (correlation == null) {
            return null;
        }
        if (requester != null) {
            return register.find(at.tenant(), kind, requester, correlation);
        }
        Exchange only = null;
        for (Exchange one : register.all(at.tenant())) {
            boolean fits = one.kind() == kind && one.correlationId().equals(correlation) && at.is(one.target());
            if (fits && only != null) {
                return null;
            }
            only = fits ? one : only;
        }
        return only;
    }

    private static ProtocolError unknown(Kind kind, Event event) {
        ProtocolError error = ProtocolError.because(
                kind.invalid(), "unknown_request", "nothing was asked, or whom it answers is not clear");
        String correlation = event.correlationId();
        return correlation == null ? error : error.with("correlation_id", correlation);
    }

    private static ProtocolError answered(Kind kind, Exchange known, Event event) {
        return ProtocolError.illegalTransition(
                        kind.invalid(), known.state().name(), event.type().name(), java.util.List.of())
                .with("reason", "answered")
                .with("correlation_id", known.correlationId());
    }

    // --- versions

    /** Gives an answer its version, or finds that it goes back behind what was said before. */
    private @Nullable ProtocolError version(Proposal proposal, Exchange known, Event event, EventDraft said) {
        String tenant = proposal.tenant();
        long last = register.version(tenant, known.target(), known.scope());
        Json given = event.payload().get("snapshot_version");
        Long number = event.payload().integer("snapshot_version");
        if (number != null && number < last) {
            return ProtocolError.of(ErrorCode.STALE_STATE, "the target has answered from version " + last)
                    .with("path", "payload.snapshot_version")
                    .with("latest", Json.of(last));
        }
        Json.Obj payload = event.payload();
        if (given == null) {
            number = last + 1;
            payload = payload.with("snapshot_version", Json.of(number));
            said.payload(payload);
        }
        if (number != null && number > last) {
            proposal.add(new ExchangeFact.Version(tenant, known.target(), known.scope(), number));
        }
        String text = payload.toString();
        if (text.length() <= Snapshot.MOST_BYTES) {
            String version = given instanceof Json.Str word ? word.value() : String.valueOf(number);
            proposal.add(new ExchangeFact.Kept(
                    tenant,
                    new Snapshot(
                            known.requester(),
                            known.target(),
                            known.scope(),
                            known.question(),
                            version,
                            text,
                            proposal.now())));
        }
        return null;
    }

    // --- time

    /** Nobody answered in time, or an answer was remembered long enough. */
    Decision fire(Context at) {
        Register.Due due = register.first();
        if (due == null || due.exchange().until() > at.now()) {
            return Decision.NOTHING;
        }
        Exchange late = due.exchange();
        Proposal proposal = new Proposal(due.tenant(), at.now(), at.nextLsn(), at.ids(), types);
        proposal.noInput();
        if (late.state() != ExchangeState.ACCEPTED) {
            proposal.add(new ExchangeFact.Forgotten(due.tenant(), late.key()));
        } else {
            boolean away = !at.around().attached(due.tenant(), late.target());
            ProtocolError error = ProtocolError.because(
                    ErrorCode.TIMEOUT, away ? "target_offline" : "timeout", "there was no answer in time");
            proposal.add(new ExchangeFact.Set(due.tenant(), late.in(ExchangeState.FAILED, at.now() + REMEMBERED_MS)));
            proposal.say(proposal.draft(late.kind().failure())
                    .target(late.requester())
                    .correlationId(late.correlationId())
                    .causationId(late.requestId())
                    .payload(Json.Obj.builder()
                            .put("correlation_id", late.correlationId())
                            .put("target", late.target())
                            .put("reason", error.reason())
                            .put("error", error.toJson())
                            .build()));
        }
        proposal.moreToCome();
        return proposal.decision(null);
    }
}
