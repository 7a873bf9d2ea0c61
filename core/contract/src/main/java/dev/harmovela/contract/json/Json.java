package dev.harmovela.contract.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, immutable. What is read can be written again without loss: members keep their order and numbers their
 * text.
 *
 * <p>Parsing is strict: no repeated keys, no lone surrogates, no invalid UTF-8, nothing behind the value, at most
 * {@link #DEFAULT_DEPTH} levels unless asked otherwise (D18). {@code toString} is compact JSON.
 */
public sealed interface Json permits Json.Obj, Json.Arr, Json.Str, Json.Num, Json.Bool, Json.Null {

    /** Levels of objects and arrays that {@code parse} takes when no limit is given. */
    int DEFAULT_DEPTH = 64;

    /** Reads one value. */
    static Json parse(String text) throws JsonException {
        if (!JsonText.wellFormed(text)) {
            throw new JsonException("", "Unicode text", "a lone surrogate", 0, true);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return parse(bytes, 0, bytes.length);
    }

    /** Reads one value from UTF-8. */
    static Json parse(byte[] bytes, int offset, int length) throws JsonException {
        return parse(bytes, offset, length, DEFAULT_DEPTH);
    }

    /** Reads one value from UTF-8 with at most {@code maxDepth} levels. */
    static Json parse(byte[] bytes, int offset, int length, int maxDepth) throws JsonException {
        JsonScanner scanner = new JsonScanner(maxDepth);
        scanner.reset(bytes, offset, length);
        Json value = scanner.value();
        scanner.finish();
        return value;
    }

    /** Appends compact JSON. */
    void writeTo(StringBuilder out);

    /** Compact JSON in UTF-8. */
    default byte[] toBytes() {
        return toString().getBytes(StandardCharsets.UTF_8);
    }

    /** {@code object}, {@code array}, {@code string}, {@code number}, {@code boolean} or {@code null}. */
    default String kind() {
        return switch (this) {
            case Obj _ -> "object";
            case Arr _ -> "array";
            case Str _ -> "string";
            case Num _ -> "number";
            case Bool _ -> "boolean";
            case Null _ -> "null";
        };
    }

    static Json of(String value) {
        return new Str(value);
    }

    static Json of(long value) {
        return new Num(Long.toString(value));
    }

    static Json of(boolean value) {
        return value ? Bool.TRUE : Bool.FALSE;
    }

    /** An array of strings. */
    static Arr of(List<String> values) {
        List<Json> items = new ArrayList<>(values.size());
        for (String value : values) {
            items.add(new Str(value));
        }
        return new Arr(items);
    }

    /** A string. */
    record Str(String value) implements Json {
        @Override
        public void writeTo(StringBuilder out) {
            JsonText.quote(out, value);
        }

        @Override
        public String toString() {
            return written(this);
        }
    }

    /**
     * A number, kept as it was written; equal only to the same digits.
     *
     * @param text a number of the JSON grammar
     */
    record Num(String text) implements Json {

        private static final int LONGEST_LONG = 100;

        /**
         * The value, when it is integral and fits ({@code 1e3} and {@code 2.0} do); else {@link ArithmeticException}.
         */
        public long longValue() {
            int length = text.length();
            if (length <= 18 && plainDigits()) {
                return Long.parseLong(text);
            }
            if (length > LONGEST_LONG) {
                throw new ArithmeticException("not a 64-bit integer");
            }
            try {
                return new BigDecimal(text).longValueExact();
            } catch (NumberFormatException _) {
                throw new ArithmeticException("not a 64-bit integer");
            }
        }

        private boolean plainDigits() {
            for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < '0' || c > '9') {
                    return false;
                }
            }
            return true;
        }

        /** The nearest double; {@link ArithmeticException} when the number is beyond every finite one. */
        public double doubleValue() {
            double value = Double.parseDouble(text);
            if (Double.isInfinite(value)) {
                throw new ArithmeticException("beyond the range of a double");
            }
            return value;
        }

        @Override
        public void writeTo(StringBuilder out) {
            out.append(text);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A truth value. */
    record Bool(boolean value) implements Json {

        public static final Bool TRUE = new Bool(true);
        public static final Bool FALSE = new Bool(false);

        @Override
        public void writeTo(StringBuilder out) {
            out.append(value);
        }

        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /** JSON {@code null}. */
    enum Null implements Json {
        NULL;

        @Override
        public void writeTo(StringBuilder out) {
            out.append("null");
        }

        @Override
        public String toString() {
            return "null";
        }
    }

    /** An array. */
    record Arr(List<Json> items) implements Json {

        public Arr {
            items = List.copyOf(items);
        }

        @Override
        public void writeTo(StringBuilder out) {
            char separator = '[';
            for (Json item : items) {
                out.append(separator);
                item.writeTo(out);
                separator = ',';
            }
            out.append(separator == '[' ? "[]" : "]");
        }

        @Override
        public String toString() {
            return written(this);
        }
    }

    /** An object; members keep their order. Two objects are equal when they have equal members in any order. */
    final class Obj implements Json {

        private static final int LINEAR = 12;
        private static final Obj EMPTY = new Obj(new String[0], new Json[0]);

        private final String[] names;
        private final Json[] values;
        private final @Nullable Map<String, Integer> places;

        Obj(String[] names, Json[] values) {
            this.names = names;
            this.values = values;
            if (names.length <= LINEAR) {
                places = null;
            } else {
                places = HashMap.newHashMap(names.length);
                for (int i = 0; i < names.length; i++) {
                    places.put(names[i], i);
                }
            }
        }

        /** The empty object. */
        public static Obj of() {
            return EMPTY;
        }

        public static Builder builder() {
            return new Builder();
        }

        private int place(String name) {
            if (places != null) {
                return places.getOrDefault(name, -1);
            }
            for (int i = 0; i < names.length; i++) {
                if (names[i].equals(name)) {
                    return i;
                }
            }
            return -1;
        }

        /** The member, {@link Null} included; null only when absent. */
        public @Nullable Json raw(String name) {
            int place = place(name);
            return place < 0 ? null : values[place];
        }

        /** The member; null when absent or JSON null, which mean the same (D18). */
        public @Nullable Json get(String name) {
            Json value = raw(name);
            return value == Null.NULL ? null : value;
        }

        /** Whether the member is there and not JSON null. */
        public boolean has(String name) {
            return get(name) != null;
        }

        /** The member when it is a string. */
        public @Nullable String string(String name) {
            return raw(name) instanceof Str s ? s.value() : null;
        }

        /** The member when it is an integral number of 64 bits. */
        public @Nullable Long integer(String name) {
            if (raw(name) instanceof Num n) {
                try {
                    return n.longValue();
                } catch (ArithmeticException _) {
                    return null;
                }
            }
            return null;
        }

        /** The member when it is a number in the range of a double. */
        public @Nullable Double number(String name) {
            if (raw(name) instanceof Num n) {
                double value = Double.parseDouble(n.text());
                return Double.isInfinite(value) ? null : (Double) value;
            }
            return null;
        }

        /** The member when it is a truth value. */
        public @Nullable Boolean bool(String name) {
            return raw(name) instanceof Bool b ? (Boolean) b.value() : null;
        }

        /** The member when it is an object. */
        public @Nullable Obj object(String name) {
            return raw(name) instanceof Obj o ? o : null;
        }

        /** The member when it is an array. */
        public @Nullable Arr array(String name) {
            return raw(name) instanceof Arr a ? a : null;
        }

        /** The member as a list of strings: one string, or the strings of an array; otherwise empty. */
        public List<String> strings(String name) {
            return switch (raw(name)) {
                case Str s -> List.of(s.value());
                case Arr a -> {
                    List<String> found = new ArrayList<>(a.items().size());
                    for (Json item : a.items()) {
                        if (item instanceof Str s) {
                            found.add(s.value());
                        }
                    }
                    yield Collections.unmodifiableList(found);
                }
                case null, default -> List.of();
            };
        }

        /** Names of all members in order, those with JSON null too. */
        public Set<String> names() {
            return Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(names)));
        }

        public int size() {
            return names.length;
        }

        public boolean isEmpty() {
            return names.length == 0;
        }

        /** Visits all members in order. */
        public void forEach(BiConsumer<String, Json> visitor) {
            for (int i = 0; i < names.length; i++) {
                visitor.accept(names[i], values[i]);
            }
        }

        /** This object with the member replaced in its place, or added at the end. */
        public Obj with(String name, Json value) {
            int place = place(name);
            int length = place < 0 ? names.length + 1 : names.length;
            String[] newNames = Arrays.copyOf(names, length);
            Json[] newValues = Arrays.copyOf(values, length);
            newNames[place < 0 ? length - 1 : place] = name;
            newValues[place < 0 ? length - 1 : place] = value;
            return new Obj(newNames, newValues);
        }

        /** This object without the member. */
        public Obj without(String name) {
            if (place(name) < 0) {
                return this;
            }
            Builder rest = builder();
            forEach((key, value) -> {
                if (!key.equals(name)) {
                    rest.put(key, value);
                }
            });
            return rest.build();
        }

        @Override
        public void writeTo(StringBuilder out) {
            out.append('{');
            for (int i = 0; i < names.length; i++) {
                if (i > 0) {
                    out.append(',');
                }
                JsonText.quote(out, names[i]);
                out.append(':');
                values[i].writeTo(out);
            }
            out.append('}');
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (!(other instanceof Obj that) || that.names.length != names.length) {
                return false;
            }
            for (int i = 0; i < names.length; i++) {
                if (!values[i].equals(that.raw(names[i]))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            int sum = 0;
            for (int i = 0; i < names.length; i++) {
                sum += names[i].hashCode() * 31 ^ values[i].hashCode();
            }
            return sum;
        }

        @Override
        public String toString() {
            return written(this);
        }
    }

    /** Collects the members of an object. A null value is left out; a name given again takes the later value. */
    final class Builder {

        private final Map<String, Json> members = new LinkedHashMap<>();

        private Builder() {}

        public Builder put(String name, @Nullable Json value) {
            if (value != null) {
                members.put(name, value);
            }
            return this;
        }

        public Builder put(String name, @Nullable String value) {
            return put(name, value == null ? null : (Json) new Str(value));
        }

        public Builder put(String name, long value) {
            return put(name, Json.of(value));
        }

        public Builder put(String name, @Nullable Long value) {
            return put(name, value == null ? null : Json.of(value.longValue()));
        }

        /** Takes finite numbers only. */
        public Builder put(String name, double value) {
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(name + " is not a finite number");
            }
            return put(name, (Json) new Num(Double.toString(value)));
        }

        public Builder put(String name, boolean value) {
            return put(name, Json.of(value));
        }

        public Builder put(String name, @Nullable List<String> values) {
            return put(name, values == null ? null : (Json) Json.of(values));
        }

        public Obj build() {
            return members.isEmpty()
                    ? Obj.EMPTY
                    : new Obj(
                            members.keySet().toArray(String[]::new),
                            members.values().toArray(Json[]::new));
        }
    }

    private static String written(Json value) {
        StringBuilder out = new StringBuilder();
        value.writeTo(out);
        return out.toString();
    }
}
