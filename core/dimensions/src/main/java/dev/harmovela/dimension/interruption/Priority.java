package dev.harmovela.dimension.interruption;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Priorities of tasks and interruptions: numbers, or one of four words that stand for 0 to 3. */
final class Priority {

    private static final List<String> WORDS = List.of("low", "normal", "high", "critical");

    private Priority() {}

    /** The priority that a payload names, null when it names none or none that is understood. */
    static @Nullable Double of(Json.Obj payload) {
        return switch (payload.get("priority")) {
            case Json.Num number -> number.doubleValue();
            case Json.Str word when WORDS.contains(word.value()) -> (double) WORDS.indexOf(word.value());
            case null, default -> null;
        };
    }

    /** Whether a priority is named that is not understood. */
    static boolean unknown(Json.Obj payload) {
        return payload.get("priority") != null && of(payload) == null;
    }

    static String expected() {
        return "a number or one of " + String.join(", ", WORDS);
    }
}
