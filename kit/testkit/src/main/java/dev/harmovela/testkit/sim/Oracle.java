package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges a hub by what leaves it, message by message, and by nothing else.
 *
 * <p>What a client was told counts from the moment the message left the hub, whether it arrived or not. What a
 * client said
 * counts once the hub has answered it or, for a settlement, has answered a later heartbeat.
 */
final class Oracle {

    private static final Set<String> NO_NUMBER = Set.of("task.cancelled", "task.cancel.requested");

    private static final Set<String> FINAL = Set.of(
            "invalid_envelope",
            "invalid_payload",
            "payload_too_large",
            "protocol_error",
            "not_supported",
            "unauthorized",
            "unauthenticated");

    final Copies copies;
    final TaskWatch tasks = new TaskWatch();
    private final World world;
    private final EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);
    private long shownLsn;
    private int answers;
    private int refusals;

    Oracle(World world) {
        this.world = world;
        this.copies = new Copies(world);
    }

    /** Highest position that any client has seen. */
    long shownLsn() {
        return shownLsn;
    }

    int answers() {
        return answers;
    }

    int refusals() {
        return refusals;
    }

    static String string(Json.Obj object, String name) {
        String value = object.string(name);
        if (value == null) {
            throw new Violation("no " + name + " in " + object);
        }
        return value;
    }

    private static Json.Obj payload(Json.Obj event) {
        Json.Obj payload = event.object("payload");
        return payload == null ? Json.Obj.of() : payload;
    }

    /** Reads a cursor that a client was shown: what lies there must be durable already. */
    long shown(String text) {
        Cursor cursor = Cursor.parse(text);
        if (cursor == null) {
            throw new Violation("not a cursor: " + text);
        }
        if (cursor.lsn() > world.machine.durableLsn()) {
            throw new Violation("position " + cursor.lsn() + " was shown while only " + world.machine.durableLsn()
                    + " was durable");
        }
        shownLsn = Math.max(shownLsn, cursor.lsn());
        return cursor.lsn();
    }

    // --- into the hub

    /** The hub takes a message. */
    void taken(AgentWire wire, Sent message) {
        wire.unanswered.computeIfAbsent(message.id, _ -> new ArrayDeque<>()).add(message);
        Json.Obj payload = payload(message.json);
        switch (message.type) {
            case "session.open" -> opening(wire, message.json.string("session_id"), payload);
            case "session.heartbeat" ->
                wire.fences.computeIfAbsent(message.id, _ -> new ArrayDeque<>()).add(wire.settling.size());
            case "subscription.cancelled" ->
                copies.cancelling(session(wire, message), string(payload, "subscription_id"));
            case "subscription.requested" -> copies.asked(session(wire, message), payload);
            case "session.closed" -> {
                String session = message.json.string("session_id");
                if (session != null) {
                    copies.sessionEnding(session);
                }
            }
            default -> {
                if (message.isSettlement()) {
                    settlement(wire, message, payload);
                }
            }
        }
    }

    /**
     * A second connection is served from here on: what it was handed may never leave the hub, nor the word that it has
     * a session, while the first one gets what comes after.
     */
    private void opening(AgentWire wire, @Nullable String session, Json.Obj payload) {
        if (session == null) {
            if (wire.agent.hasOther(wire)) {
                copies.shared(null, wire.agent.identity);
            }
            return;
        }
        wire.agent.resuming(wire, session);
        if (Boolean.TRUE.equals(payload.bool("share")) && wire.agent.isOnAnother(wire, session)) {
            copies.shared(session, wire.agent.identity);
        }
    }

    private void settlement(AgentWire wire, Sent message, Json.Obj payload) {
        String session = session(wire, message);
        String eventId = payload.string("acknowledged_event_id");
        if (eventId != null) {
            Json.Obj error = payload.object("error");
            boolean last = error == null || isFinal(error);
            wire.settling.add(new AgentWire.Settling(
                    message.id, last, copies.settledBy(session, eventId, payload.string("subscription_id"))));
        }
    }

    /** Whether a refusal is the last word on a delivery (§6): what the consumer says itself, else its code. */
    private static boolean isFinal(Json.Obj error) {
        Boolean retryable = error.bool("retryable");
        return retryable == null ? FINAL.contains(string(error, "code")) : !retryable;
    }

    /** The session a message was sent in: the one it names, else the only one of its wire. */
    private static String session(AgentWire wire, Sent message) {
        String named = message.json.string("session_id");
        Set<String> told = wire.agent.sessionsOn(wire);
        return named != null ? named : told.size() == 1 ? told.iterator().next() : "";
    }

    // --- out of the hub

    /** A message leaves the hub. */
    void left(AgentWire wire, boolean answer, Json.Obj message) {
        Json.Obj delivery = message.object("delivery");
        world.script.note(wire + " < " + shown(message, delivery));
        if (delivery != null) {
            delivered(wire, delivery, message);
        } else if (answer) {
            answered(wire, message);
        } else {
            noticed(wire, message);
        }
    }

    private static String shown(Json.Obj message, Json.@Nullable Obj delivery) {
        String what = message.string("type") + " " + message.string("id");
        if (delivery != null) {
            return what + " " + delivery;
        }
        Json.Obj error = payload(message).object("error");
        return what + " to " + message.string("causation_id") + " " + (error == null ? payload(message) : error);
    }

    private void delivered(AgentWire wire, Json.Obj delivery, Json.Obj message) {
        if (wire.agent.sessionsOn(wire).isEmpty()) {
            throw new Violation("a copy for " + wire + ", which has no session: " + message);
        }
        byte[] bytes = message.toString().getBytes(StandardCharsets.UTF_8);
        if (!(reader.read(bytes, 0, bytes.length) instanceof EventReader.Read.Ok ok)) {
            throw new Violation("a copy that is no event: " + message);
        }
        Event event = ok.event();
        Publish original = world.published(event.id());
        boolean unchanged = original == null
                || original.event.payload().equals(event.payload())
                        && original.event.source().equals(event.source())
                        && original.event.type() == event.type();
        if (!unchanged) {
            throw new Violation("a copy differs from what was published: " + message);
        }
        copies.sent(wire, delivery, event);
        String cursor = delivery.string("cursor");
        if (cursor != null && !delivery.has("replayed_from")) {
            long lsn = shown(cursor);
            tasks.stored(lsn, event);
            stored(original, lsn);
        }
    }

    private void stored(@Nullable Publish original, long lsn) {
        if (original != null) {
            if (original.lsn != 0 && original.lsn != lsn && !world.machine.forgot(original.lsn)) {
                throw new Violation(original.id() + " lies at " + original.lsn + " and at " + lsn);
            }
            original.lsn = lsn;
        }
    }

    private void answered(AgentWire wire, Json.Obj message) {
        answers++;
        String cause = string(message, "causation_id");
        ArrayDeque<Sent> waiting = wire.unanswered.get(cause);
        Sent asked = waiting == null ? null : waiting.poll();
        if (asked == null) {
            throw new Violation("an answer to " + cause + ", which was answered already or never sent: " + message);
        }
        Json.Obj payload = payload(message);
        Json.Obj error = payload.object("error");
        if (error != null) {
            refusals++;
            refused(wire, asked, string(error, "code"));
        } else {
            granted(wire, asked, message, payload);
        }
    }

    private void refused(AgentWire wire, Sent asked, String code) {
        if (code.equals("internal_error") && !world.diskTrouble) {
            throw new Violation("internal_error on " + asked + " although nothing is wrong");
        }
        if (asked.isSettlement()) {
            for (AgentWire.Settling one : wire.settling) {
                one.refused |= one.messageId.equals(asked.id);
            }
        } else if (asked.type.equals("session.heartbeat")) {
            ArrayDeque<Integer> fences = wire.fences.get(asked.id);
            if (fences != null) {
                fences.poll();
            }
        }
        Publish publish = asked.publish;
        if (publish != null) {
            publish.refused = true;
            if (code.equals("conflict") && publish.conflictsWith == null && !publish.isTask()) {
                throw new Violation(publish.id() + " was refused as a conflict, yet nobody else used its id");
            }
        }
    }

    private void granted(AgentWire wire, Sent asked, Json.Obj message, Json.Obj payload) {
        String cursor = payload.string("cursor");
        long lsn = cursor == null ? 0 : shown(cursor);
        switch (asked.type) {
            case "session.open" -> opened(wire, message, payload, lsn);
            case "session.closed" -> {
                String session = asked.json.string("session_id");
                if (session != null) {
                    copies.sessionEnded(session);
                }
            }
            case "session.heartbeat" -> fence(wire, asked.id);
            case "subscription.requested" -> {
                String session = string(message, "session_id");
                copies.created(wire, session, payload, lsn);
                if (wire.agent.isOnAnother(wire, session)) {
                    copies.shared(session, wire.agent.identity);
                }
            }
            case "subscription.cancelled" ->
                copies.cancelled(session(wire, asked), string(payload(asked.json), "subscription_id"));
            default -> {
                if (asked.publish != null) {
                    published(asked.publish, lsn, Boolean.TRUE.equals(payload.bool("duplicate")));
                }
            }
        }
    }

    private void opened(AgentWire wire, Json.Obj message, Json.Obj payload, long lsn) {
        String session = string(payload, "session_id");
        wire.agent.opened(wire, session);
        boolean resumed = Boolean.TRUE.equals(payload.bool("resumed"));
        copies.inbox(wire.agent.identity, lsn);
        if (wire.agent.isOnAnother(wire, session)) {
            copies.shared(session, wire.agent.identity);
        }
        boolean alone = world.agents.stream()
                        .filter(one -> one.identity.equals(wire.agent.identity))
                        .count()
                == 1;
        if (!alone || wire.agent.hasOther(wire)) {
            copies.shared(null, wire.agent.identity);
        }
        String before = wire.agent.wantsToAdopt(string(message, "causation_id"));
        if (!resumed && before != null) {
            copies.adopted(before, session);
        }
    }

    private void published(Publish publish, long lsn, boolean duplicate) {
        if (!publish.isStored()) {
            return;
        }
        if (publish.conflictsWith != null && publish.conflictsWith.lsn != 0) {
            throw new Violation(
                    publish.id() + " was taken although other content has that id at " + publish.conflictsWith.lsn);
        }
        if (duplicate && (publish.isTask() || world.forgets() || world.letters.wasPutBack(publish.id()))) {
            // the newest of its positions, which is not where it lay first: it was put back, or carried on for a letter
            return;
        }
        if (!duplicate
                && publish.lsn != 0
                && !NO_NUMBER.contains(publish.type())
                && publish.acknowledged
                && !world.machine.forgot(publish.lsn)) {
            throw new Violation(publish.id() + " was stored at " + publish.lsn + " and again at " + lsn);
        }
        if (!NO_NUMBER.contains(publish.type())) {
            publish.acknowledged |= !duplicate;
            stored(publish, lsn);
            tasks.stored(lsn, publish.event);
        }
    }

    private static void fence(AgentWire wire, String heartbeat) {
        ArrayDeque<Integer> fences = wire.fences.get(heartbeat);
        Integer upTo = fences == null ? null : fences.poll();
        for (int i = 0; upTo != null && i < upTo; i++) {
            AgentWire.Settling one = wire.settling.get(i);
            if (!one.refused && one.finalWord) {
                one.copies.forEach(copy -> copy.fenced = true);
            }
        }
    }

    private void noticed(AgentWire wire, Json.Obj message) {
        Json.Obj payload = payload(message);
        switch (string(message, "type")) {
            case "event.redelivered" -> {
                Long attempt = payload.integer("attempt");
                wire.announced.put(
                        string(payload, "subscription_id") + " " + string(payload, "original_event_id"),
                        attempt == null ? 0 : attempt.intValue());
            }
            case "subscription.expired" -> copies.ended(string(payload, "subscription_id"));
            case "event.replayed" -> shown(string(payload, "to_cursor"));
            default -> {
                // told to the agent, who acts on it
            }
        }
    }

    /** The hub's machine went down: what was under way is unknown. */
    void crashed(AgentWire wire) {
        wire.unanswered.clear();
        wire.settling.clear();
        wire.fences.clear();
    }
}
