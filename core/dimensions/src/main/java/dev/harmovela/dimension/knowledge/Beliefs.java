package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The beliefs of one tenant: what each source holds about each thing, and what was derived from what. */
final class Beliefs {

    static final int MOST = 50_000;
    static final int MOST_SOURCES = 32;

    private final LinkedHashMap<String, LinkedHashMap<String, Belief>> byId = new LinkedHashMap<>();
    /** Beliefs by the events they were derived from. */
    private final Map<String, Set<Named>> derived = new LinkedHashMap<>();

    private record Named(String id, String source) {}

    boolean isEmpty() {
        return byId.isEmpty();
    }

    @Nullable Belief find(String id, String source) {
        Map<String, Belief> held = byId.get(id);
        return held == null ? null : held.get(source);
    }

    /** What everybody holds about a thing, in the order in which they first said it. */
    List<Belief> about(String id) {
        Map<String, Belief> held = byId.get(id);
        return held == null ? List.of() : List.copyOf(held.values());
    }

    /** Everything that is held. */
    List<Belief> all() {
        return byId.values().stream().flatMap(held -> held.values().stream()).toList();
    }

    /** Beliefs that were derived from one of these events, in the order in which they came. */
    List<Belief> derivedFrom(List<String> events) {
        List<Belief> found = new ArrayList<>();
        for (String event : events) {
            for (Named name : derived.getOrDefault(event, Set.of())) {
                Belief belief = find(name.id(), name.source());
                if (belief != null && !found.contains(belief)) {
                    found.add(belief);
                }
            }
        }
        return found;
    }

    void hold(Belief belief) {
        LinkedHashMap<String, Belief> held = byId.computeIfAbsent(belief.id(), _ -> new LinkedHashMap<>());
        Belief before = held.put(belief.source(), belief);
        if (before != null) {
            forgetEvidence(before);
        }
        Named name = new Named(belief.id(), belief.source());
        belief.evidence()
                .forEach(event -> derived.computeIfAbsent(event, _ -> new LinkedHashSet<>())
                        .add(name));
        if (held.size() > MOST_SOURCES) {
            forgetEvidence(held.pollFirstEntry().getValue());
        }
        if (byId.size() > MOST) {
            byId.pollFirstEntry().getValue().values().forEach(this::forgetEvidence);
        }
    }

    void drop(String id, String source) {
        LinkedHashMap<String, Belief> held = byId.get(id);
        Belief before = held == null ? null : held.remove(source);
        if (before != null) {
            forgetEvidence(before);
        }
        if (held != null && held.isEmpty()) {
            byId.remove(id);
        }
    }

    void doubt(String id, String source) {
        LinkedHashMap<String, Belief> held = byId.get(id);
        if (held != null) {
            held.computeIfPresent(source, (_, belief) -> belief.inDoubt());
        }
    }

    private void forgetEvidence(Belief belief) {
        Named name = new Named(belief.id(), belief.source());
        for (String event : belief.evidence()) {
            Set<Named> names = derived.get(event);
            if (names != null && names.remove(name) && names.isEmpty()) {
                derived.remove(event);
            }
        }
    }

    void snapshot(Out out) {
        List<Belief> all = all();
        out.varint(all.size());
        all.forEach(belief -> belief.write(out));
    }

    static Beliefs restore(In in) {
        Beliefs beliefs = new Beliefs();
        for (int n = in.count(); n > 0; n--) {
            beliefs.hold(Belief.read(in));
        }
        return beliefs;
    }
}
