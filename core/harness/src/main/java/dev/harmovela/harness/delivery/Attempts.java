package dev.harmovela.harness.delivery;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is remembered of failed attempts; the newest few, so that a delivery cannot grow without end. */
public final class Attempts {

    private static final int REMEMBERED = 16;

    private Attempts() {}

    static Json.Arr add(Json.@Nullable Arr before, int attempt, long at, ProtocolError error) {
        List<Json> all = new ArrayList<>(before == null ? List.of() : before.items());
        all.add(Json.Obj.builder()
                .put("attempt", attempt)
                .put("at", Timestamps.format(at))
                .put("code", error.wireCode())
                .put("message", error.message())
                .build());
        return newest(all);
    }

    /** Two histories in a row. */
    public static Json.Arr joined(Json.Arr earlier, Json.Arr later) {
        List<Json> all = new ArrayList<>(earlier.items());
        all.addAll(later.items());
        return newest(all);
    }

    private static Json.Arr newest(List<Json> all) {
        return new Json.Arr(List.copyOf(all.subList(Math.max(0, all.size() - REMEMBERED), all.size())));
    }
}
