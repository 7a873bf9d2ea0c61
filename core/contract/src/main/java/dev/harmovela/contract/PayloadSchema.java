package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonScanner;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled JSON Schema of the subset that {@link SchemaCompiler} takes. It walks the bytes of a value that is known
 * to be JSON and builds nothing but what {@code enum} has to compare.
 *
 * <p>As everywhere on the wire, a member with JSON null counts as absent.
 */
final class PayloadSchema {

    static final int OBJECT = 1;
    static final int ARRAY = 2;
    static final int STRING = 4;
    static final int NUMBER = 8;
    static final int INTEGER = 16;
    static final int BOOLEAN = 32;
    static final int NULL = 64;
    static final int ANY = 127;

    /** Agrees with everything. */
    static final PayloadSchema NOTHING = new PayloadSchema(ANY, Members.NONE, List.of(), Bounds.NONE, null, List.of());

    private static final int LONGEST_FRACTION = 100;

    private final int kinds;
    private final Members members;
    private final List<Json> values;
    private final Bounds bounds;
    private final @Nullable PayloadSchema items;
    private final List<PayloadSchema> anyOf;
    private final boolean plain;
    private final boolean free;

    /**
     * Members of an object.
     *
     * @param names UTF-8 of the known ones, at most 64
     * @param hashes of the names, see {@link JsonScanner#hash}
     * @param shapes what each of them has to be
     * @param required positions of those that must be there
     * @param alternatives masks of positions of which at least one must be there as a whole; empty when there is no
     *     such rule
     */
    record Members(byte[][] names, int[] hashes, PayloadSchema[] shapes, int[] required, long[] alternatives) {
        static final Members NONE =
                new Members(new byte[0][], new int[0], new PayloadSchema[0], new int[0], new long[0]);

        boolean free() {
            return required.length == 0 && alternatives.length == 0;
        }

        /** Whether the rules on what must be there agree with the members found. */
        boolean satisfied(long found) {
            for (int needed : required) {
                if ((found & 1L << needed) == 0) {
                    return false;
                }
            }
            for (long alternative : alternatives) {
                if ((found & alternative) == alternative) {
                    return true;
                }
            }
            return alternatives.length == 0;
        }

        String name(int i) {
            return new String(names[i], StandardCharsets.UTF_8);
        }
    }

    /** Limits of numbers and of the length of strings in characters. */
    record Bounds(double minimum, double maximum, int minLength) {
        static final Bounds NONE = new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 0);
    }

    PayloadSchema(
            int kinds,
            Members members,
            List<Json> values,
            Bounds bounds,
            @Nullable PayloadSchema items,
            List<PayloadSchema> anyOf) {
        this.kinds = kinds;
        this.members = members;
        this.values = values;
        this.bounds = bounds;
        this.items = items;
        this.anyOf = anyOf;
        this.plain = isPlain();
        this.free = isFree();
    }

    /** Whether no object can be wrong. */
    boolean saysNothing() {
        return free;
    }

    /**
     * Whether a payload fits as far as its notes tell; false when that takes a closer look.
     *
     * @param buffer the bytes that the notes are about
     */
    boolean surelyFits(PayloadNotes notes, byte[] buffer) {
        if (!notes.complete() || (kinds & OBJECT) == 0 || !values.isEmpty() || !anyOf.isEmpty()) {
            return false;
        }
        long found = 0;
        for (int i = 0; i < notes.count(); i++) {
            int member = notes.lead(i) == 'n' ? -1 : member(notes, i, buffer);
            if (member >= 0) {
                if (!members.shapes[member].surelyTakes(notes.lead(i), notes.length(i))) {
                    return false;
                }
                found |= 1L << member;
            }
        }
        return members.satisfied(found);
    }

    private int member(PayloadNotes notes, int i, byte[] buffer) {
        for (int k = 0; k < members.names.length; k++) {
            if (members.hashes[k] == notes.hash(i) && notes.isCalled(i, buffer, members.names[k])) {
                return k;
            }
        }
        return -1;
    }

    private boolean surelyTakes(int lead, int length) {
        if (!plain) {
            return false;
        }
        int kind = kind(lead);
        return (kinds & kind) == kind && (lead != '"' || length - 2 >= bounds.minLength);
    }

    /** Whether the first byte and the length of a value decide: nothing inside it is asked for. */
    private boolean isPlain() {
        boolean noRange = bounds.minimum == Double.NEGATIVE_INFINITY && bounds.maximum == Double.POSITIVE_INFINITY;
        return noRange
                && bounds.minLength <= 1
                && members == Members.NONE
                && items == null
                && values.isEmpty()
                && anyOf.isEmpty();
    }

    private boolean isFree() {
        for (PayloadSchema shape : members.shapes) {
            if (shape != NOTHING) {
                return false;
            }
        }
        return (kinds & OBJECT) != 0 && members.free() && values.isEmpty() && anyOf.isEmpty();
    }

    /** Judges the value that comes next and reads it to its end; null when it fits. */
    @Nullable ProtocolError problem(JsonScanner in) {
        if (this == NOTHING) {
            in.skip();
            return null;
        }
        int lead = in.peek();
        int kind = kind(lead);
        if ((kinds & kind) == 0) {
            return wrong(in);
        }
        if (!values.isEmpty() || !anyOf.isEmpty()) {
            return tree(in);
        }
        return switch (lead) {
            case '{' -> members(in);
            case '[' -> items(in);
            case '"' -> string(in);
            case 't', 'f', 'n' -> {
                in.skip();
                yield null;
            }
            default -> number(in);
        };
    }

    private static int kind(int lead) {
        return switch (lead) {
            case '{' -> OBJECT;
            case '[' -> ARRAY;
            case '"' -> STRING;
            case 't', 'f' -> BOOLEAN;
            case 'n' -> NULL;
            default -> NUMBER | INTEGER;
        };
    }

    private @Nullable ProtocolError members(JsonScanner in) {
        long found = 0;
        in.enterObject();
        while (in.nextKey()) {
            int member = member(in);
            if (member < 0 || in.peek() == 'n') {
                in.skip();
                continue;
            }
            found |= 1L << member;
            ProtocolError problem = members.shapes[member].problem(in);
            if (problem != null) {
                return problem;
            }
        }
        return missing(in, found);
    }

    private int member(JsonScanner in) {
        for (int i = 0; i < members.names.length; i++) {
            if (in.keyHash() == members.hashes[i] && in.keyIs(members.names[i])) {
                return i;
            }
        }
        return -1;
    }

    private @Nullable ProtocolError missing(JsonScanner in, long found) {
        for (int needed : members.required) {
            if ((found & 1L << needed) == 0) {
                return ProtocolError.invalidPayload(
                        place(in.path()) + "." + members.name(needed), members.shapes[needed].described(), "nothing");
            }
        }
        if (members.alternatives.length == 0) {
            return null;
        }
        StringBuilder choice = new StringBuilder();
        for (long alternative : members.alternatives) {
            if ((found & alternative) == alternative) {
                return null;
            }
            choice.append(choice.isEmpty() ? "" : " or ").append(members.name(Long.numberOfTrailingZeros(alternative)));
        }
        return ProtocolError.invalidPayload(place(in.path()), "an object with " + choice, "none of them");
    }

    private @Nullable ProtocolError items(JsonScanner in) {
        in.enterArray();
        while (in.nextItem()) {
            if (items == null) {
                in.skip();
                continue;
            }
            ProtocolError problem = items.problem(in);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable ProtocolError string(JsonScanner in) {
        if (bounds.minLength == 0) {
            in.string();
            return null;
        }
        in.string();
        int bytes = in.textTo() - in.textFrom();
        boolean fits = bounds.minLength == 1
                ? bytes > 0
                : in.text().codePointCount(0, in.text().length()) >= bounds.minLength;
        return fits ? null : ProtocolError.invalidPayload(place(in.path()), described(), Shown.text(in.text()));
    }

    private @Nullable ProtocolError number(JsonScanner in) {
        if ((kinds & NUMBER) != 0 && bounds == Bounds.NONE) {
            in.number();
            return null;
        }
        Json value = in.value();
        String text = value.toString();
        double number = Double.parseDouble(text);
        boolean fits = !Double.isInfinite(number)
                && number >= bounds.minimum
                && number <= bounds.maximum
                && ((kinds & NUMBER) != 0 || integral(text));
        return fits ? null : ProtocolError.invalidPayload(place(in.path()), described(), Shown.of(value));
    }

    private static boolean integral(String text) {
        boolean plain = true;
        for (int i = 0; i < text.length() && plain; i++) {
            char c = text.charAt(i);
            plain = c == '-' || (c >= '0' && c <= '9');
        }
        if (plain) {
            return true;
        }
        if (text.length() > LONGEST_FRACTION) {
            return false;
        }
        try {
            return new BigDecimal(text).stripTrailingZeros().scale() <= 0;
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private @Nullable ProtocolError tree(JsonScanner in) {
        Json value = in.value();
        boolean fits = values.isEmpty() || values.contains(value);
        boolean chosen = anyOf.isEmpty();
        byte[] bytes = chosen ? new byte[0] : value.toBytes();
        for (PayloadSchema option : anyOf) {
            JsonScanner again = new JsonScanner(JsonScanner.DEPTH_LIMIT);
            again.reset(bytes, 0, bytes.length);
            chosen |= option.problem(again) == null;
        }
        return fits && chosen ? null : ProtocolError.invalidPayload(place(in.path()), described(), Shown.of(value));
    }

    private ProtocolError wrong(JsonScanner in) {
        return ProtocolError.invalidPayload(place(in.path()), described(), Shown.of(in.value()));
    }

    private static String place(String path) {
        return path.isEmpty() ? "payload" : "payload." + path;
    }

    /** What fits, in words. */
    String described() {
        if (!values.isEmpty()) {
            return "one of "
                    + String.join(", ", values.stream().map(Json::toString).toList());
        }
        if (!anyOf.isEmpty()) {
            return String.join(
                    " or ", anyOf.stream().map(PayloadSchema::described).toList());
        }
        StringBuilder out = new StringBuilder(kindNames());
        if (bounds.minLength > 0) {
            out.append(bounds.minLength == 1 ? ", not empty" : ", at least " + bounds.minLength + " characters");
        }
        if (bounds.minimum != Double.NEGATIVE_INFINITY) {
            out.append(", at least ").append(Numbers.json(bounds.minimum));
        }
        if (bounds.maximum != Double.POSITIVE_INFINITY) {
            out.append(", at most ").append(Numbers.json(bounds.maximum));
        }
        return out.toString();
    }

    private String kindNames() {
        if (kinds == ANY) {
            return "a value";
        }
        String[] names = {"an object", "an array", "a string", "a number", "an integer", "true or false", "null"};
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < names.length; i++) {
            if ((kinds & 1 << i) != 0) {
                out.append(out.isEmpty() ? "" : " or ").append(names[i]);
            }
        }
        return out.toString();
    }
}
