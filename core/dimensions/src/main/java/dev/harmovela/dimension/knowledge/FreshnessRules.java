package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.Durations;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import dev.harmovela.dimension.knowledge.Window.About;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the freshness register (§9): windows open with what is said, move, and are told when they close. */
final class FreshnessRules {

    private static final int AT_ONCE = 64;
    private static final String[] NAMES = {"resource", "context_id", "key", "fact_id", "belief_id", "subject"};

    private final Windows windows;
    private final EventRegistry types;

    FreshnessRules(Windows windows, EventRegistry types) {
        this.windows = windows;
        this.types = types;
    }

    /** An event says how long something is fresh, that it is so no longer, or nothing of the kind. */
    Decision happened(Event event, Context at) {
        Json.Obj payload = event.payload();
        String resource = resource(payload);
        if (resource == null || Proposal.HUB.equals(event.source())) {
            return Decision.NOTHING;
        }
        return switch (event.type().name()) {
            case "freshness.window.changed" ->
                moved(resource, Timestamps.parse(String.valueOf(payload.string("new_valid_until"))), event, at);
            case "freshness.expired" -> closed(resource, true, at);
            case "context.invalidated", "memory.fact.invalidated" -> closed(resource, false, at);
            default -> opened(about(event), resource, event, at);
        };
    }

    private static @Nullable String resource(Json.Obj payload) {
        for (String name : NAMES) {
            String value = payload.string(name);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return null;
    }

    private static About about(Event event) {
        return switch (event.type().family()) {
            case "state" -> About.STATE;
            case "context" -> About.CONTEXT;
            case "belief" -> About.BELIEF;
            default -> About.OTHER;
        };
    }

    private Decision opened(About about, String resource, Event event, Context at) {
        long until = Math.min(event.staleAt(), inPayload(event));
        Proposal proposal = quiet(at);
        if (until != Long.MAX_VALUE) {
            set(proposal, new Window(about, resource, until, event.id()));
        } else if (windows.find(at.tenant(), about, resource) != null) {
            proposal.add(new KnowledgeFact.WindowClosed(at.tenant(), about, resource, false));
        }
        return result(proposal);
    }

    /** Context speaks of its own freshness in the payload (D44). */
    private static long inPayload(Event event) {
        String duration = event.payload().string("stale_after");
        long millis = duration == null ? -1 : Durations.millis(duration);
        long until = Timestamps.parse(String.valueOf(event.payload().string("valid_until")));
        return Math.min(
                millis < 0 ? Long.MAX_VALUE : event.createdAtMillis() + millis,
                until == Timestamps.INVALID ? Long.MAX_VALUE : until);
    }

    private Decision moved(String resource, long until, Event event, Context at) {
        Proposal proposal = quiet(at);
        boolean known = false;
        for (About about : About.values()) {
            if (until != Timestamps.INVALID && windows.find(at.tenant(), about, resource) != null) {
                set(proposal, new Window(about, resource, until, event.id()));
                known = true;
            }
        }
        if (!known && until != Timestamps.INVALID) {
            set(proposal, new Window(About.OTHER, resource, until, event.id()));
        }
        return result(proposal);
    }

    private Decision closed(String resource, boolean stale, Context at) {
        Proposal proposal = quiet(at);
        for (About about : About.values()) {
            if (windows.find(at.tenant(), about, resource) != null) {
                proposal.add(new KnowledgeFact.WindowClosed(at.tenant(), about, resource, stale));
            }
        }
        return result(proposal);
    }

    private static void set(Proposal proposal, Window window) {
        proposal.add(new KnowledgeFact.WindowSet(proposal.tenant(), window));
    }

    private Proposal quiet(Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.noInput();
        return proposal;
    }

    private static Decision result(Proposal proposal) {
        return proposal.facts() == 0 ? Decision.NOTHING : proposal.decision(null);
    }

    /** Windows that have ended are told; state and context that they were about are invalid from then on. */
    Decision fire(Context at) {
        List<Windows.Due> ended = windows.ended(at.now(), AT_ONCE);
        if (ended.isEmpty()) {
            return Decision.NOTHING;
        }
        String tenant = ended.getFirst().tenant();
        Proposal proposal = new Proposal(tenant, at.now(), at.nextLsn(), at.ids(), types);
        proposal.noInput();
        for (Windows.Due due : ended) {
            tell(proposal, due.window());
        }
        if (windows.next() <= at.now()) {
            proposal.moreToCome();
        }
        return proposal.decision(null);
    }

    private static void tell(Proposal proposal, Window window) {
        proposal.add(new KnowledgeFact.WindowClosed(proposal.tenant(), window.about(), window.resource(), true));
        Json.Obj payload = Json.Obj.builder()
                .put("resource", window.resource())
                .put("valid_until", Timestamps.format(window.until()))
                .build();
        Proposal.Said expired = proposal.say(proposal.draft("freshness.expired")
                .causationId(window.eventId())
                .payload(payload));
        if (window.about() == About.STATE || window.about() == About.CONTEXT) {
            proposal.say(proposal.draft("context.invalidated")
                    .causationId(expired.id())
                    .payload(Json.Obj.builder()
                            .put("resource", window.resource())
                            .put("reason", "stale")
                            .build()));
        }
    }
}
