package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides about the shared state (§10): every key has one version, and nobody writes over what he has not seen. */
final class StateRules {

    /** A snapshot holds at most so much; the rest is asked for by {@code after_key}. */
    private static final int SNAPSHOT_BYTES = 256 * 1024;

    /** How long a reader may rely on a snapshot of values that do not say so themselves. */
    private static final long SNAPSHOT_FRESH_MS = 60_000;

    private final EventRegistry types;

    StateRules(EventRegistry types) {
        this.types = types;
    }

    Decision updated(StateRegister state, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        Json.Obj payload = event.payload();
        String key = payload.string("key");
        if (key == null || key.isEmpty()) {
            return proposal.decision(null);
        }
        StateValue before = state.find(key);
        long current = before == null ? 0 : before.version();
        ProtocolError refusal = conflict(key, current, payload);
        Json value = payload.get("value");
        String json = value == null ? "null" : value.toString();
        if (refusal == null) {
            refusal = noRoom(state, key, json);
        }
        if (refusal != null) {
            return Decision.refused(refusal, event.taskId());
        }
        Long named = payload.integer("version");
        long version = named == null ? current + 1 : named;
        StateValue written = new StateValue(key, version, json, at.actor(), event.id(), at.now(), false);
        proposal.add(new KnowledgeFact.StateSet(at.tenant(), written));
        return proposal.decision(null);
    }

    /** Why the write is based on something that is not current. */
    private static @Nullable ProtocolError conflict(String key, long current, Json.Obj payload) {
        Long expected = payload.integer("expected_version");
        if (expected != null && expected != current) {
            return stale(key, current, "expected_version", expected);
        }
        Long named = payload.integer("version");
        return named != null && named <= current ? stale(key, current, "version", named) : null;
    }

    private static ProtocolError stale(String key, long current, String member, long named) {
        return ProtocolError.of(ErrorCode.STALE_STATE, "the version of " + key + " is " + current)
                .with("path", "payload." + member)
                .with("key", key)
                .with("version", Json.of(current))
                .with(member, Json.of(named));
    }

    private static @Nullable ProtocolError noRoom(StateRegister state, String key, String json) {
        int size = json.getBytes(StandardCharsets.UTF_8).length;
        if (size > StateRegister.MOST_VALUE_BYTES) {
            return ProtocolError.tooLarge(size, StateRegister.MOST_VALUE_BYTES).with("path", "payload.value");
        }
        return state.hasRoom(key, size)
                ? null
                : ProtocolError.because(ErrorCode.NOT_SUPPORTED, "state_full", "the shared state of the tenant is full")
                        .with("max_keys", Json.of(StateRegister.MOST_KEYS))
                        .with("max_bytes", Json.of(StateRegister.MOST_BYTES));
    }

    Decision invalidated(StateRegister state, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        String key = event.payload().string("key");
        StateValue value = key == null ? null : state.find(key);
        Long version = event.payload().integer("version");
        if (value != null && !value.gone()) {
            if (version != null && version != value.version()) {
                return Decision.refused(stale(value.key(), value.version(), "version", version), event.taskId());
            }
            proposal.add(new KnowledgeFact.StateGone(at.tenant(), value.key()));
            proposal.add(new KnowledgeFact.WindowClosed(at.tenant(), Window.About.STATE, value.key(), false));
        }
        return proposal.decision(null);
    }

    /** A request to nobody in particular is answered by the hub; one to an agent is that agent's. */
    Decision snapshot(StateRegister state, Event event, Context at) {
        Proposal proposal = new Proposal(at, types);
        boolean mine = event.target() == null || Proposal.HUB.equals(event.target());
        if (mine && !at.holds("read:state")) {
            return Decision.refused(
                    ProtocolError.because(ErrorCode.UNAUTHORIZED, "missing_right", "this needs read:state")
                            .with("required", "read:state"),
                    event.taskId());
        }
        proposal.input();
        if (mine) {
            answer(proposal, state, event, at);
        }
        return proposal.decision(null);
    }

    private static void answer(Proposal proposal, StateRegister state, Event event, Context at) {
        Json.Obj asked = event.payload();
        String key = asked.string("key");
        List<Json> items = new ArrayList<>();
        String next = null;
        if (key != null) {
            StateValue value = state.find(key);
            if (value != null && !value.gone()) {
                items.add(value.toJson());
            }
        } else {
            next = page(state, asked.string("after_key"), items);
        }
        Json.Builder payload = Json.Obj.builder()
                .put("key", key)
                .put("items", new Json.Arr(items))
                .put("valid_from", Timestamps.format(at.now()))
                .put("stale_after", "PT" + SNAPSHOT_FRESH_MS / 1000 + "S")
                .put("next_key", next);
        proposal.say(proposal.draft("state.snapshot.ready")
                .target(at.actor())
                .correlationId(event.correlationId())
                .causationId(event.id())
                .payload(payload.build()));
    }

    /** Fills in what fits; returns the key behind which to ask on, null when that was all. */
    private static @Nullable String page(StateRegister state, @Nullable String after, List<Json> items) {
        int bytes = 0;
        String last = null;
        for (StateValue value : state.after(after == null ? "" : after)) {
            if (value.gone()) {
                continue;
            }
            bytes += value.json().length() + value.key().length();
            if (last != null && bytes > SNAPSHOT_BYTES) {
                return last;
            }
            items.add(value.toJson());
            last = value.key();
        }
        return null;
    }
}
