package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Locale;

/**
 * One thing that can be configured.
 *
 * @param path its place in the file, members joined by dots
 * @param kind what its value looks like
 * @param fallback its value when nothing says otherwise; JSON null when that depends on other settings
 * @param range what values it may have
 * @param help what it means, one line
 */
record Setting(String path, Kind kind, Json fallback, Range range, String help) {

    /** What a value looks like. */
    enum Kind {
        TEXT,
        WORD,
        SWITCH,
        INTEGER,
        DECIMAL,
        TEXTS,
        FAMILIES
    }

    /**
     * Values allowed.
     *
     * @param least smallest number
     * @param most largest number
     * @param words all words there are, in their order
     */
    record Range(double least, double most, List<String> words) {
        static final Range ANY = new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, List.of());

        boolean holds(double value) {
            return value >= least && value <= most;
        }
    }

    static Setting text(String path, Json fallback, String help) {
        return new Setting(path, Kind.TEXT, fallback, Range.ANY, help);
    }

    static Setting word(String path, String fallback, List<String> words, String help) {
        return new Setting(path, Kind.WORD, Json.of(fallback), new Range(0, 0, words), help);
    }

    static Setting flag(String path, String help) {
        return new Setting(path, Kind.SWITCH, Json.of(false), Range.ANY, help);
    }

    static Setting integer(String path, long fallback, long least, long most, String help) {
        return new Setting(path, Kind.INTEGER, Json.of(fallback), new Range(least, most, List.of()), help);
    }

    static Setting decimal(String path, double fallback, double least, double most, String help) {
        Json value = new Json.Num(Double.toString(fallback));
        return new Setting(path, Kind.DECIMAL, value, new Range(least, most, List.of()), help);
    }

    static Setting texts(String path, String help) {
        return new Setting(path, Kind.TEXTS, Json.of(List.of()), Range.ANY, help);
    }

    /** The environment variable that sets it. */
    String variable() {
        return "HARMOVELA_" + path.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    /** Whether an environment variable can hold it. */
    boolean inEnvironment() {
        return kind != Kind.FAMILIES;
    }

    /** What a value must be, to be put after "must be". */
    String expected() {
        return switch (kind) {
            case TEXT -> "a text";
            case WORD -> "one of " + String.join(", ", range.words());
            case SWITCH -> "true or false";
            case INTEGER -> "a whole number from " + plain(range.least()) + " to " + plain(range.most());
            case DECIMAL -> "a number from " + plain(range.least()) + " to " + plain(range.most());
            case TEXTS -> "a list of texts";
            case FAMILIES -> "a list of {name, actions, schemas}";
        };
    }

    private static String plain(double bound) {
        return Long.toString((long) bound);
    }

    /** Whether a value from a file fits. Families are checked where they are read. */
    boolean accepts(Json value) {
        return switch (kind) {
            case TEXT -> value instanceof Json.Str text && !text.value().isEmpty();
            case WORD -> value instanceof Json.Str text && range.words().contains(text.value());
            case SWITCH -> value instanceof Json.Bool;
            case INTEGER -> value instanceof Json.Num number && isWhole(number) && range.holds(number.doubleValue());
            case DECIMAL -> value instanceof Json.Num number && isFinite(number) && range.holds(number.doubleValue());
            case TEXTS ->
                value instanceof Json.Str
                        || (value instanceof Json.Arr list
                                && list.items().stream().allMatch(Json.Str.class::isInstance));
            case FAMILIES -> value instanceof Json.Arr;
        };
    }

    /** Turns the text of a variable or an option into a value; it may not fit. */
    Json parse(String text) {
        return switch (kind) {
            case TEXT, WORD, FAMILIES -> Json.of(text);
            case SWITCH ->
                switch (text.toLowerCase(Locale.ROOT)) {
                    case "true", "1", "yes", "on" -> Json.of(true);
                    case "false", "0", "no", "off" -> Json.of(false);
                    default -> Json.of(text);
                };
            case INTEGER, DECIMAL ->
                text.matches("-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,18})?") ? new Json.Num(text) : Json.of(text);
            case TEXTS ->
                Json.of(List.of(text.split(",")).stream()
                        .map(String::strip)
                        .filter(one -> !one.isEmpty())
                        .toList());
        };
    }

    private static boolean isWhole(Json.Num number) {
        try {
            return number.longValue() != Long.MIN_VALUE;
        } catch (ArithmeticException notWhole) {
            return false;
        }
    }

    private static boolean isFinite(Json.Num number) {
        try {
            return !Double.isNaN(number.doubleValue());
        } catch (ArithmeticException tooLarge) {
            return false;
        }
    }
}
