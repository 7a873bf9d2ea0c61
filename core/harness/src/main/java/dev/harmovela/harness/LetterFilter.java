package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.recovery.Letter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant (D34). Every given member must hold; a member with several values holds for any of
 * them. What
 * is not known is refused and not passed over: a misspelt member would select everything.
 */
final class LetterFilter {

    private static final List<String> TYPES = List.of("type", "types");
    private static final List<String> BOUNDS = List.of("from", "to");
    private static final Map<String, Function<Letter, @Nullable String>> FIELDS = fields();

    private LetterFilter() {}

    private static Map<String, Function<Letter, @Nullable String>> fields() {
        Map<String, Function<Letter, @Nullable String>> fields = new LinkedHashMap<>();
        fields.put("task_id", Letter::taskId);
        fields.put("subscription_id", Letter::subscription);
        fields.put("correlation_id", Letter::correlationId);
        fields.put("owner", Letter::owner);
        fields.put("code", letter -> letter.lastError().wireCode());
        return fields;
    }

    /** What is wrong with a filter, or null; {@code at} is the path of its members, empty or ending in a dot. */
    static @Nullable ProtocolError problem(String at, Json.Obj filter) {
        for (String name : filter.names()) {
            List<String> values = filter.strings(name);
            boolean known = TYPES.contains(name) || BOUNDS.contains(name) || FIELDS.containsKey(name);
            if (!known) {
                return unknown(at + name);
            }
            if (filter.has(name) && (values.isEmpty() || values.stream().anyMatch(String::isEmpty))) {
                return ProtocolError.invalidPayload(at + name, "a string or several", "something else");
            }
            ProtocolError wrong = TYPES.contains(name)
                    ? patterns(at + name, values)
                    : BOUNDS.contains(name) ? instants(at + name, values) : null;
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static ProtocolError unknown(String path) {
        return ProtocolError.mismatch(
                ErrorCode.INVALID_PAYLOAD,
                path,
                "one of " + String.join(", ", TYPES) + ", " + String.join(", ", FIELDS.keySet()) + ", "
                        + String.join(", ", BOUNDS),
                "an unknown member");
    }

    private static @Nullable ProtocolError patterns(String path, List<String> values) {
        for (String text : values) {
            if (TypePattern.problem(text) != null) {
                return ProtocolError.invalidPayload(path, "event types or patterns such as task.*", text);
            }
        }
        return null;
    }

    private static @Nullable ProtocolError instants(String path, List<String> values) {
        return values.size() == 1 && Timestamps.parse(values.getFirst()) != Timestamps.INVALID
                ? null
                : ProtocolError.invalidPayload(path, "a time such as 2026-07-10T10:00:00Z", String.join(", ", values));
    }

    /** The condition of a filter without a {@link #problem}. */
    static Predicate<Letter> of(Json.Obj filter) {
        Predicate<Letter> all = _ -> true;
        for (String name : TYPES) {
            List<TypePattern> patterns =
                    filter.strings(name).stream().map(TypePattern::parse).toList();
            if (!patterns.isEmpty()) {
                all = all.and(letter -> patterns.stream().anyMatch(one -> one.matches(letter.eventType())));
            }
        }
        for (Map.Entry<String, Function<Letter, @Nullable String>> field : FIELDS.entrySet()) {
            List<String> wanted = filter.strings(field.getKey());
            if (!wanted.isEmpty()) {
                all = all.and(letter -> {
                    String value = field.getValue().apply(letter);
                    return value != null && wanted.contains(value);
                });
            }
        }
        long from = time(filter.string("from"), Long.MIN_VALUE);
        long to = time(filter.string("to"), Long.MAX_VALUE);
        return all.and(letter -> letter.lastAt() >= from && letter.lastAt() <= to);
    }

    private static long time(@Nullable String text, long otherwise) {
        return text == null ? otherwise : Timestamps.parse(text);
    }
}
