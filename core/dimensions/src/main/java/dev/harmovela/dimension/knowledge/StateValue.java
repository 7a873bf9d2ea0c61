package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;

/**
 * What stands under a key of the shared state.
 *
 * @param version rises with every write of the key and never falls
 * @param json the value as JSON text, empty when it was invalidated
 * @param writer who wrote it
 * @param eventId the event that did
 * @param at when, epoch milliseconds
 * @param stale whether its freshness window ran out
 */
record StateValue(String key, long version, String json, String writer, String eventId, long at, boolean stale) {

    boolean gone() {
        return json.isEmpty();
    }

    StateValue grownStale() {
        return new StateValue(key, version, json, writer, eventId, at, true);
    }

    StateValue invalidated() {
        return new StateValue(key, version, "", writer, eventId, at, false);
    }

    /** As a snapshot tells it. */
    Json.Obj toJson() {
        Json.Builder item = Json.Obj.builder()
                .put("key", key)
                .put("version", version)
                .put("value", Json.parse(json))
                .put("updated_by", writer)
                .put("updated_at", Timestamps.format(at))
                .put("event_id", eventId);
        return (stale ? item.put("stale", true) : item).build();
    }

    void write(Out out) {
        out.string(key).varint(version).string(json).string(writer).string(eventId);
        out.varint(at).bool(stale);
    }

    static StateValue read(In in) {
        return new StateValue(in.string(), in.varint(), in.string(), in.string(), in.string(), in.varint(), in.bool());
    }
}
