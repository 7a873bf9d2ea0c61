package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.DeliveryMode;
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

/** Decides about {@code command.requested} and {@code query.requested} (§10, D25, D28, D31). Changes nothing. */
final class Requests {

    /** How long an absent target is waited for when the request does not say (D31). */
    static final long OFFLINE_MS = 60_000;

    private static final long COMMAND_MS = 3_600_000;
    private static final long QUERY_MS = 30_000;
    private static final long MOST_MS = 7 * 86_400_000L;
    private static final long WINDOW_MS = 5_000;
    private static final int MOST_SCOPE_CHARS = 256;

    /** How the hub sends on what was sent with best effort. */
    static final DeliveryAsk PASSING = DeliveryAsk.of(DeliveryMode.BEST_EFFORT);

    private final Register register;
    private final EventRegistry types;
    private final Authority authority = new Authority();

    Requests(Register register, EventRegistry types) {
        this.register = register;
        this.types = types;
    }

    Decision decide(Kind kind, Event event, Context at) {
        String named = event.target();
        String correlation = event.correlationId();
        if (!at.enforceOwnership() || named == null || correlation == null) {
            return plain(at);
        }
        String target = inCharge(named, event, at);
        ProtocolError refusal = refusal(kind, target, correlation, event, at);
        if (refusal != null) {
            return Decision.refused(refusal, event.taskId());
        }
        String scope = kind == Kind.QUERY ? String.valueOf(event.payload().string("query_scope")) : "";
        long question = kind == Kind.QUERY ? question(event.payload()) : 0;
        Decision kept = kind == Kind.QUERY ? fromKept(target, scope, question, event, at) : null;
        return kept == null ? accepted(new Asked(kind, target, correlation, scope, question), event, at) : kept;
    }

    /** Whom a request is for: about a task that was passed up, the one who deals with it now (§10). */
    private static String inCharge(String target, Event event, Context at) {
        String task = event.taskId();
        String standIn = task == null ? null : at.around().standIn(at.tenant(), task, target);
        return standIn == null ? target : standIn;
    }

    private record Asked(Kind kind, String target, String correlation, String scope, long question) {}

    private Decision plain(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        return proposal.decision(null);
    }

    // --- whether it may

    private @Nullable ProtocolError refusal(Kind kind, String target, String correlation, Event event, Context at) {
        ProtocolError malformed = form(kind, event.payload());
        if (malformed != null) {
            return malformed;
        }
        Exchange known = register.find(at.tenant(), kind, at.actor(), correlation);
        if (known != null && known.open()) {
            return ProtocolError.because(
                            kind.invalid(), "correlation_in_use", "the correlation belongs to another request")
                    .with("correlation_id", correlation)
                    .with("event_id", known.requestId());
        }
        if (register.count(at.tenant()) >= Register.MOST_OF_TENANT) {
            return ProtocolError.because(ErrorCode.BUSY, "too_many", "the tenant has too many requests under way");
        }
        if (!knows(target, at)) {
            return ProtocolError.because(
                            ErrorCode.UNKNOWN_TARGET, "unknown_target", "nobody of that name was ever here")
                    .with("target", target);
        }
        if (isPassing(event) && !at.around().attached(at.tenant(), target)) {
            return ProtocolError.because(
                            ErrorCode.UNKNOWN_TARGET, "target_offline", "with best effort nothing waits for a target")
                    .with("target", target)
                    .retryable(true);
        }
        return authority.problem(kind, event.payload(), target, at);
    }

    private static @Nullable ProtocolError form(Kind kind, Json.Obj payload) {
        String scope = payload.string("query_scope");
        if (kind == Kind.QUERY && (scope == null || scope.isEmpty() || scope.length() > MOST_SCOPE_CHARS)) {
            return ProtocolError.mismatch(
                    ErrorCode.INVALID_QUERY,
                    "payload.query_scope",
                    "what the query is about, in at most " + MOST_SCOPE_CHARS + " characters",
                    scope == null ? "nothing" : scope.length() + " characters");
        }
        for (String name : List.of("timeout_ms", "negotiation_window_ms")) {
            Long number = payload.integer(name);
            if (payload.has(name) && (number == null || number < 1)) {
                return ProtocolError.mismatch(
                        kind.invalid(),
                        "payload." + name,
                        "a number of milliseconds above 0",
                        String.valueOf(payload.get(name)));
            }
        }
        return null;
    }

    private static boolean knows(String identity, Context at) {
        return at.around().knows(at.tenant(), identity)
                || !at.around().members(at.tenant(), identity).isEmpty();
    }

    private static boolean isPassing(Event event) {
        return event.delivery().mode() == DeliveryMode.BEST_EFFORT;
    }

    // --- what comes of it

    private Decision accepted(Asked asked, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        boolean there = at.around().attached(at.tenant(), asked.target());
        Long named = event.payload().integer("timeout_ms");
        long usual = asked.kind() == Kind.QUERY ? QUERY_MS : there ? COMMAND_MS : OFFLINE_MS;
        long until = Math.min(at.now() + Math.min(named == null ? usual : named, MOST_MS), event.expiresAt());
        proposal.add(new ExchangeFact.Set(
                at.tenant(),
                new Exchange(
                        asked.kind(),
                        at.actor(),
                        asked.correlation(),
                        asked.target(),
                        event.id(),
                        asked.scope(),
                        asked.question(),
                        ExchangeState.ACCEPTED,
                        until,
                        isPassing(event))));
        proposal.say(routed(asked, event, at).expiresAt(until));
        if (asked.kind() == Kind.COMMAND) {
            Long window = event.payload().integer("negotiation_window_ms");
            EventDraft accepted = proposal.draft("command.accepted")
                    .target(at.actor())
                    .taskId(event.taskId())
                    .correlationId(asked.correlation())
                    .causationId(event.id())
                    .payload(Json.Obj.builder()
                            .put("correlation_id", asked.correlation())
                            .put("target", asked.target())
                            .put("negotiation_window_ms", window == null ? WINDOW_MS : window)
                            .build());
            proposal.say(isPassing(event) ? accepted.delivery(PASSING) : accepted);
        }
        return proposal.decision(event.taskId());
    }

    /** The request as its target gets it; of a pool one member does, one that is there before one that is not. */
    private static EventDraft routed(Asked asked, Event event, Context at) {
        List<String> members = at.around().members(at.tenant(), asked.target());
        EventDraft routed = EventDraft.of(event);
        return members.isEmpty()
                ? routed.target(asked.target())
                : routed.target(members.stream()
                        .filter(one -> at.around().attached(at.tenant(), one))
                        .findFirst()
                        .orElse(members.getFirst()));
    }

    // --- what is known already

    /** Tells questions about the same scope apart: what they filter, where they read on, and since when. */
    static long question(Json.Obj payload) {
        long hash = 0xcbf29ce484222325L;
        for (String part : List.of("filter", "pagination", "since_version")) {
            String text = part + '=' + payload.get(part);
            for (int i = 0; i < text.length(); i++) {
                hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
            }
        }
        return hash;
    }

    /** The last answer serves as long as the requester takes it; null when the target has to be asked. */
    private @Nullable Decision fromKept(String target, String scope, long question, Event event, Context at) {
        Json.Obj payload = event.payload();
        Snapshot kept = register.kept(at.tenant(), Snapshot.key(at.actor(), target, scope, question));
        Json wanted = payload.get("snapshot_version");
        if (wanted != null) {
            String version = wanted instanceof Json.Str text ? text.value() : wanted.toString();
            return kept != null && kept.version().equals(version)
                    ? answered(kept, event, at)
                    : Decision.refused(
                            ProtocolError.of(ErrorCode.STALE_STATE, "that version is not kept any more")
                                    .with("path", "payload.snapshot_version")
                                    .with("latest", Json.of(register.version(at.tenant(), target, scope))),
                            event.taskId());
        }
        Json.Obj freshness = payload.object("freshness");
        Long age = freshness == null ? null : freshness.integer("max_age_ms");
        boolean consistent = freshness != null && Boolean.TRUE.equals(freshness.bool("require_consistent"));
        boolean serves = kept != null && age != null && !consistent && at.now() - kept.at() <= age;
        return kept != null && serves ? answered(kept, event, at) : null;
    }

    private Decision answered(Snapshot kept, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        EventDraft response = proposal.draft("query.response")
                .target(at.actor())
                .correlationId(event.correlationId())
                .causationId(event.id())
                .payload((Json.Obj) Json.parse(kept.payload()));
        proposal.say(isPassing(event) ? response.delivery(PASSING) : response);
        return proposal.decision(event.taskId());
    }
}
