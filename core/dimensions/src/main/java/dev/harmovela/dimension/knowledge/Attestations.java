package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who attests to which events of one tenant; each attester counts once. */
final class Attestations {

    static final int MOST = 100_000;
    static final int MOST_ATTESTERS = 64;

    private final LinkedHashMap<String, LinkedHashSet<String>> byEvent = new LinkedHashMap<>();

    boolean isEmpty() {
        return byEvent.isEmpty();
    }

    boolean has(String eventId, String by) {
        Set<String> all = byEvent.get(eventId);
        return all != null && all.contains(by);
    }

    /** Those who attest to it, in the order in which they did. */
    List<String> of(String eventId) {
        Set<String> by = byEvent.get(eventId);
        return by == null ? List.of() : List.copyOf(by);
    }

    void set(String eventId, String by, boolean holds) {
        LinkedHashSet<String> all = byEvent.computeIfAbsent(eventId, _ -> new LinkedHashSet<>());
        if (holds) {
            all.add(by);
        } else {
            all.remove(by);
        }
        if (all.isEmpty()) {
            byEvent.remove(eventId);
        }
        if (byEvent.size() > MOST) {
            byEvent.pollFirstEntry();
        }
    }

    List<Json.Obj> describe() {
        List<Json.Obj> all = new ArrayList<>();
        byEvent.forEach((event, by) -> all.add(Json.Obj.builder()
                .put("event_id", event)
                .put("attestation_count", by.size())
                .put("attested_by", List.copyOf(by))
                .build()));
        return all;
    }

    void snapshot(Out out) {
        out.varint(byEvent.size());
        byEvent.forEach((event, by) -> {
            out.string(event);
            KnowledgeFact.writeTexts(out, List.copyOf(by));
        });
    }

    static Attestations restore(In in) {
        Attestations all = new Attestations();
        for (int n = in.count(); n > 0; n--) {
            String event = in.string();
            KnowledgeFact.readTexts(in).forEach(by -> all.set(event, by, true));
        }
        return all;
    }
}
