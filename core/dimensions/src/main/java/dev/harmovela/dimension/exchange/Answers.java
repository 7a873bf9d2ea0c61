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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides about what targets answer, and about silence (§10, D28). Changes nothing. */
final class Answers {

    private final Register register;
    private final EventRegistry types;

    Answers(Register register, EventRegistry types) {
        this.register = register;
        this.types = types;
    }

    Decision decide(Kind kind, Event event, Context at) {
        Exchange known = find(kind, event, at);
        if (known == null || (!known.open() && known.until() <= at.now())) {
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
        proposal.add(new ExchangeFact.Set(at.tenant(), known.ended(next, at.now())));
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
        List<Exchange> own = register.correlated(at.tenant(), kind, correlation).stream()
                .filter(one -> at.is(one.target()))
                .toList();
        return own.size() == 1 ? own.getFirst() : null;
    }

    private static ProtocolError unknown(Kind kind, Event event) {
        ProtocolError error = ProtocolError.because(
                kind.invalid(), "unknown_request", "nothing was asked, or whom it answers is not clear");
        String correlation = event.correlationId();
        return correlation == null ? error : error.with("correlation_id", correlation);
    }

    private static ProtocolError answered(Kind kind, Exchange known, Event event) {
        return ProtocolError.illegalTransition(
                        kind.invalid(), known.state().name(), event.type().name(), List.of())
                .with("reason", "answered")
                .with("correlation_id", known.correlationId());
    }

    // --- versions

    /**
     * Gives an answer its version, or finds that it goes back behind what was said before, or that it says something
     * else than the same version said to the same question.
     */
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
            number = known.passing() ? Math.max(last + 1, proposal.now()) : last + 1;
            payload = payload.with("snapshot_version", Json.of(number));
            said.payload(payload);
        }
        String version = given instanceof Json.Str word ? word.value() : String.valueOf(number);
        String text = payload.toString();
        Snapshot before =
                register.kept(tenant, Snapshot.key(known.requester(), known.target(), known.scope(), known.question()));
        if (before != null && before.version().equals(version) && !sameAnswer(before, payload)) {
            return ProtocolError.because(
                            ErrorCode.CONFLICT, "version_reused", "the same version gave another answer before")
                    .with("path", "payload.snapshot_version")
                    .with("latest", Json.of(last));
        }
        boolean kept = !known.passing();
        if (number != null && number > last) {
            proposal.add(new ExchangeFact.Version(tenant, known.target(), known.scope(), number, kept));
        }
        if (text.length() <= Snapshot.MOST_CHARS) {
            Snapshot answer = new Snapshot(
                    known.requester(), known.target(), known.scope(), known.question(), version, text, proposal.now());
            proposal.add(new ExchangeFact.Kept(tenant, answer, kept));
        }
        return null;
    }

    /** Whether it says the same; order and spaces do not count. */
    private static boolean sameAnswer(Snapshot before, Json.Obj payload) {
        return before.payload().equals(payload.toString())
                || Json.parse(before.payload()).equals(payload);
    }

    // --- time

    /** Nobody answered in time. */
    Decision fire(Context at) {
        Register.Due due = register.first();
        if (due == null || due.exchange().until() > at.now()) {
            return Decision.NOTHING;
        }
        Exchange late = due.exchange();
        Proposal proposal = new Proposal(due.tenant(), at.now(), at.nextLsn(), at.ids(), types);
        proposal.noInput();
        boolean away = !at.around().attached(due.tenant(), late.target());
        ProtocolError error = ProtocolError.because(
                ErrorCode.TIMEOUT, away ? "target_offline" : "timeout", "there was no answer in time");
        proposal.add(new ExchangeFact.Set(due.tenant(), late.ended(ExchangeState.FAILED, at.now())));
        EventDraft failed = proposal.draft(late.kind().failure())
                .target(late.requester())
                .correlationId(late.correlationId())
                .causationId(late.requestId())
                .payload(Json.Obj.builder()
                        .put("correlation_id", late.correlationId())
                        .put("target", late.target())
                        .put("reason", error.reason())
                        .put("error", error.toJson())
                        .build());
        proposal.say(late.passing() ? failed.delivery(Requests.PASSING) : failed);
        proposal.moreToCome();
        return proposal.decision(null);
    }
}
