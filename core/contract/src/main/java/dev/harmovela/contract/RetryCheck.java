package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Types and ranges of the members of {@code retry{…}} (§6). */
final class RetryCheck {

    private static final List<String> MEMBERS =
            List.of("max_attempts", "backoff_ms", "backoff_multiplier", "max_backoff_ms", "ack_timeout_ms", "jitter");

    private RetryCheck() {}

    /** The first member that is not as it should be, or null. */
    static @Nullable String wrongMember(Json.Obj retry) {
        for (String name : MEMBERS) {
            if (retry.has(name) && !fits(retry, name)) {
                return name;
            }
        }
        return null;
    }

    private static boolean fits(Json.Obj retry, String name) {
        if (name.equals("backoff_multiplier")) {
            Double value = retry.number(name);
            return value != null && value >= 1;
        }
        if (name.equals("jitter")) {
            Double value = retry.number(name);
            return value != null && value >= 0 && value <= 1;
        }
        Long value = retry.integer(name);
        if (value == null || value > Numbers.MAX_INTEGER) {
            return false;
        }
        return switch (name) {
            case "max_attempts" -> value >= 1 && value <= Integer.MAX_VALUE;
            case "ack_timeout_ms" -> value >= 1;
            default -> value >= 0;
        };
    }

    static String expected(String name) {
        return switch (name) {
            case "max_attempts" -> "an integer, 1 or more";
            case "backoff_multiplier" -> "a number, 1 or more";
            case "ack_timeout_ms" -> "milliseconds, 1 or more";
            case "jitter" -> "a number from 0 to 1";
            default -> "milliseconds, 0 or more";
        };
    }
}
