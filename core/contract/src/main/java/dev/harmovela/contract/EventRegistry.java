package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every event type the hub takes (§2). Immutable and thread-safe. */
public final class EventRegistry {

    private static final List<Family> FAMILIES = List.of(
            new Family("session", Dimension.EVENT, "open opened ready heartbeat closed error"),
            new Family("capabilities", Dimension.EVENT, "requested declared changed"),
            new Family("subscription", Dimension.EVENT, "requested created rejected cancelled expired"),
            new Family(
                    "event",
                    Dimension.RECOVERY,
                    "acknowledged rejected redelivered replayed dead_lettered published dispatched delivered"),
            new Family(
                    "task",
                    Dimension.TASK,
                    "submitted accepted started blocked resumed progress output completed failed cancel.requested"
                            + " cancelled timed_out escalated"),
            new Family(
                    "tool.call",
                    Dimension.TOOL,
                    "requested accepted rejected started progress output completed failed cancel.requested cancelled"
                            + " timed_out"),
            new Family(
                    "context",
                    Dimension.CONTEXT,
                    "updated invalidated snapshot.requested snapshot.ready retrieval.started retrieval.completed"
                            + " retrieval.failed"),
            new Family(
                    "memory",
                    Dimension.CONTEXT,
                    "updated fact.added fact.updated fact.invalidated episode.stored preference.updated"
                            + " constraint.updated summary.ready retrieval.ready"),
            new Family("belief", Dimension.CONTEXT, "revised conflict.detected"),
            new Family("provenance", Dimension.CONTEXT, "attestation.added attestation.revoked chain.truncated"),
            new Family("state", Dimension.STATE, "updated snapshot.requested snapshot.ready invalidated"),
            new Family("freshness", Dimension.STATE, "expired window.changed"),
            new Family("delegation", Dimension.DELEGATION, "requested accepted rejected handoff.completed escalated"),
            new Family("interruption", Dimension.RECOVERY, "requested acknowledged saved resumed cancelled"),
            new Family("compensation", Dimension.RECOVERY, "requested completed failed"),
            new Family(
                    "agent",
                    Dimension.AGENT,
                    "message.sent message.received message.failed request.created response.created decision.recorded"),
            new Family("environment", Dimension.ENVIRONMENT, "observed changed alerted error"),
            new Family("command", Dimension.COMMAND, "requested accepted rejected completed failed"),
            new Family("query", Dimension.QUERY, "requested response rejected error"),
            new Family(
                    "adaptation",
                    Dimension.ADAPTATION,
                    "outcome.correlated goal.created goal.updated goal.achieved goal.blocked goal.abandoned"
                            + " cost.exceeded budget.established budget.adjusted budget.limit_approaching"
                            + " budget.limit_exceeded budget.exhausted"),
            new Family("audit", Dimension.GOVERNANCE, "recorded"));

    private static final Set<String> HUB_ONLY = Set.of(
            "subscription.created",
            "subscription.rejected",
            "subscription.expired",
            "event.redelivered",
            "event.replayed",
            "event.dead_lettered",
            "event.published",
            "event.dispatched",
            "event.delivered",
            "task.timed_out",
            "command.accepted",
            "command.rejected",
            "adaptation.outcome.correlated",
            "adaptation.cost.exceeded",
            "adaptation.budget.limit_approaching",
            "adaptation.budget.limit_exceeded",
            "adaptation.budget.exhausted",
            "audit.recorded");

    private static final EventRegistry STANDARD = build(List.of());

    private record Family(String name, Dimension owner, String actions) {}

    private final EventType[] types;
    private final byte[][] names;
    private final int[] slots;
    private final Map<String, EventType> byName = new HashMap<>();
    private final Map<String, Dimension> owners;
    private final Map<String, Json.Obj> customSchemas;

    private EventRegistry(List<EventType> all, Map<String, Dimension> owners, Map<String, Json.Obj> customSchemas) {
        this.types = all.toArray(EventType[]::new);
        this.owners = owners;
        this.customSchemas = customSchemas;
        this.names = new byte[types.length][];
        this.slots = new int[Integer.highestOneBit(types.length) * 4];
        Arrays.fill(slots, -1);
        for (EventType type : types) {
            byte[] name = type.name().getBytes(StandardCharsets.US_ASCII);
            names[type.index()] = name;
            if (byName.put(type.name(), type) != null) {
                throw new IllegalArgumentException("event type registered twice: " + type.name());
            }
            int slot = slot(JsonScanner.hash(name, 0, name.length));
            while (slots[slot] >= 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = type.index();
        }
    }

    /** The types of the protocol. */
    public static EventRegistry standard() {
        return STANDARD;
    }

    private static EventRegistry build(List<CustomFamily> families) {
        List<EventType> all = new ArrayList<>();
        Map<String, Dimension> owners = new HashMap<>();
        Map<String, Json.Obj> schemas = new HashMap<>();
        for (Family family : FAMILIES) {
            owners.put(family.name(), family.owner());
            for (String action : family.actions().split(" ")) {
                String name = family.name() + "." + action;
                all.add(new EventType(name, family.name(), all.size(), HUB_ONLY.contains(name), false));
            }
        }
        for (CustomFamily family : families) {
            requireFree(family.name(), owners);
            owners.put(family.name(), Dimension.OPERATOR);
            for (String action : family.actions()) {
                String name = family.name() + "." + action;
                if (!wellFormed(name)) {
                    throw new IllegalArgumentException("ill-formed event type: " + name);
                }
                all.add(new EventType(name, family.name(), all.size(), false, true));
            }
            family.schemas().forEach((action, schema) -> {
                SchemaCompiler.compile(schema);
                schemas.put(family.name() + "." + action, schema);
            });
        }
        for (String name : schemas.keySet()) {
            if (all.stream().noneMatch(type -> type.name().equals(name))) {
                throw new IllegalArgumentException("schema for a type that is not registered: " + name);
            }
        }
        return new EventRegistry(all, Collections.unmodifiableMap(owners), Collections.unmodifiableMap(schemas));
    }

    private static void requireFree(String family, Map<String, Dimension> owners) {
        if (!wellFormed(family + ".x")) {
            throw new IllegalArgumentException("ill-formed family name: " + family);
        }
        String first = family.split("\\.", 2)[0];
        for (String taken : owners.keySet()) {
            boolean standard = owners.get(taken) != Dimension.OPERATOR;
            if (taken.equals(family) || (standard && taken.split("\\.", 2)[0].equals(first))) {
                throw new IllegalArgumentException(
                        "the family " + family + " would lie in " + taken + ", which is taken");
            }
        }
    }

    /**
     * The standard types and those of an operator behind them. {@link IllegalArgumentException} names what is
     * ill-formed or taken.
     */
    public EventRegistry withFamilies(List<CustomFamily> families) {
        return build(families);
    }

    /** The type of that name, or null. */
    public @Nullable EventType find(String name) {
        return byName.get(name);
    }

    /** The type of that name, which must exist. */
    public EventType require(String name) {
        EventType type = byName.get(name);
        if (type == null) {
            throw new IllegalArgumentException("no such event type: " + name);
        }
        return type;
    }

    /** The type whose name comes next; one that is no longer registered has index -1. */
    EventType known(In in) {
        byte[] bytes = in.array();
        int from = in.skip();
        EventType type = find(bytes, from, in.position());
        if (type != null) {
            return type;
        }
        String name = new String(bytes, from, in.position() - from, StandardCharsets.UTF_8);
        return new EventType(name, name.substring(0, name.lastIndexOf('.')), -1, false, true);
    }

    public EventType at(int index) {
        return types[index];
    }

    public int size() {
        return types.length;
    }

    /** All types in the order of their indexes. */
    public List<EventType> types() {
        return List.of(types);
    }

    /** The part of the hub that owns the type. */
    public Dimension owner(EventType type) {
        return owners.getOrDefault(type.family(), Dimension.OPERATOR);
    }

    /** The schema an operator gave for the payload of the type, or null. */
    Json.@Nullable Obj customSchema(EventType type) {
        return customSchemas.get(type.name());
    }

    private int slot(int hash) {
        return (hash ^ hash >>> 15) & slots.length - 1;
    }

    /** The type whose name stands in the bytes, or null; makes no string. */
    @Nullable EventType find(byte[] bytes, int from, int to) {
        int slot = slot(JsonScanner.hash(bytes, from, to));
        while (slots[slot] >= 0) {
            int index = slots[slot];
            byte[] name = names[index];
            if (Arrays.equals(bytes, from, to, name, 0, name.length)) {
                return types[index];
            }
            slot = slot + 1 & slots.length - 1;
        }
        return null;
    }

    /**
     * Whether the text has the form of a type: at least two dotted words of lower-case letters, digits, {@code _} or
     * {@code -}.
     */
    public static boolean wellFormed(String type) {
        int words = 1;
        int length = 0;
        for (int i = 0; i < type.length(); i++) {
            char c = type.charAt(i);
            if (c == '.') {
                if (length == 0) {
                    return false;
                }
                words++;
                length = 0;
            } else if ((c >= 'a' && c <= 'z') || (length > 0 && ((c >= '0' && c <= '9') || c == '_' || c == '-'))) {
                length++;
            } else {
                return false;
            }
        }
        return words >= 2 && length > 0;
    }
}
