package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is demanded of the answer to one line of a fixture.
 *
 * @param line number of the line, from 1
 * @param verdict whether it must be taken
 * @param raw its entry in the manifest
 */
record LineExpectation(int line, Verdict verdict, Json.Obj raw) {

    /** Whether a line must be taken. */
    enum Verdict {
        ACCEPTED,
        REJECTED
    }

    /** Reads an entry; {@link UsageException} when it has no line or verdict. */
    static LineExpectation of(Json entry) {
        Long line = entry instanceof Json.Obj o ? o.integer("line") : null;
        String verdict = entry instanceof Json.Obj o ? o.string("verdict") : null;
        if (entry instanceof Json.Obj raw && line != null && line > 0 && verdict != null) {
            for (Verdict known : Verdict.values()) {
                if (known.name().toLowerCase(Locale.ROOT).equals(verdict)) {
                    return new LineExpectation(line.intValue(), known, raw);
                }
            }
        }
        throw new UsageException(
                "an expect entry of the manifest needs a line and the verdict accepted or rejected: " + entry);
    }

    /** Codes that a refusal may have; empty when any will do. */
    List<String> codes() {
        return raw.strings("code");
    }

    /** The type the direct answer must have, or null. */
    @Nullable String answer() {
        return raw.string("answer");
    }

    /** Members that the details of a refusal must contain. */
    Json.Obj details() {
        Json.Obj details = raw.object("details");
        return details == null ? Json.Obj.of() : details;
    }

    /** Dotted paths that the direct answer must have. */
    List<String> has() {
        return raw.strings("has");
    }

    /** Whether the acknowledgement must call the line a duplicate. */
    boolean duplicate() {
        return Boolean.TRUE.equals(raw.bool("duplicate"));
    }

    /** Copies of the line that subscriptions must bring, or null when that does not matter. */
    @Nullable Long deliveries() {
        return raw.integer("deliveries");
    }

    /**
     * What the target must say of its own because of the line, in order and nothing else; null when that does not
     * matter.
     */
    @Nullable List<Json.Obj> emits() {
        Json.Arr items = raw.array("emits");
        return items == null
                ? null
                : items.items().stream()
                        .map(item -> item instanceof Json.Obj o
                                ? o
                                : Json.Obj.builder().put("type", item).build())
                        .toList();
    }

    /** What must arrive, in any order, before the next line goes out. */
    List<Json.Obj> receives() {
        return Suite.objects(raw, "receives");
    }

    /** Whether the next line waits for something that this one leads to. */
    boolean waits() {
        List<Json.Obj> emits = emits();
        Long deliveries = deliveries();
        return (emits != null && !emits.isEmpty())
                || (deliveries != null && deliveries > 0)
                || !receives().isEmpty();
    }
}
