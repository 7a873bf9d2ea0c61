package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.contract.json.JsonScanner;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the bytes of one event: where the known members stand, what has to be cut, which reserved key was
 * used. Reused from event to event.
 */
final class EnvelopeScan {

    private static final Set<Field> SECRETS = EnumSet.of(Field.AUTHORIZATION, Field.HANDOFF_TOKEN);
    private static final byte[] NO_BYTES = {};

    private final JsonScanner scanner;
    private final Names names = new Names();
    private final PayloadNotes notes = new PayloadNotes();
    private final int[] from = new int[Field.COUNT];
    private final int[] to = new int[Field.COUNT];
    private final byte[] first = new byte[Field.COUNT];
    private final int[] cutFrom = new int[2];
    private final int[] cutTo = new int[2];
    private byte[] buf = NO_BYTES;
    private int cuts;
    private int kept;
    private int openCut;
    private long seen;
    private long escaped;
    private int begin;
    private int end;
    private @Nullable String reservedKey;
    private @Nullable JsonException broken;
    private boolean object;
    private boolean complete;

    EnvelopeScan(int maxDepth) {
        scanner = new JsonScanner(maxDepth);
    }

    /** Reads the bytes; what is wrong with them as JSON is in {@link #broken()} afterwards. */
    void read(byte[] bytes, int offset, int length) {
        buf = bytes;
        cuts = 0;
        kept = 0;
        openCut = -1;
        seen = 0;
        escaped = 0;
        reservedKey = null;
        broken = null;
        object = false;
        complete = false;
        scanner.reset(bytes, offset, length);
        try {
            object = scanner.peek() == '{';
            begin = scanner.position();
            if (object) {
                members();
            } else {
                first[0] = (byte) scanner.peek();
                scanner.skip();
            }
            end = scanner.position();
            complete = true;
            scanner.finish();
        } catch (JsonException e) {
            broken = e;
        }
    }

    void release() {
        buf = NO_BYTES;
        scanner.release();
    }

    private void members() {
        scanner.enterObject();
        while (scanner.nextKey()) {
            int keyQuote = scanner.keyQuote();
            int comma = scanner.comma();
            if (openCut >= 0) {
                cutTo[openCut] = comma + 1;
                openCut = -1;
            }
            Field field = Field.find(scanner);
            if (field == null) {
                scanner.skip();
                kept++;
            } else {
                member(field);
                if (field == Field.DELIVERY || field == Field.AUTHORIZATION) {
                    cut(keyQuote, comma);
                } else {
                    kept++;
                }
            }
        }
    }

    /** With a kept member in front, that member's comma goes along; without one, the comma behind does. */
    private void cut(int keyQuote, int comma) {
        if (cuts == 2) {
            return;
        }
        cutFrom[cuts] = kept > 0 ? comma : keyQuote;
        cutTo[cuts] = scanner.position();
        openCut = kept > 0 ? -1 : cuts;
        cuts++;
    }

    private void member(Field field) {
        int lead = scanner.peek();
        int start = scanner.position();
        if (lead == '"') {
            scanner.string();
        } else if (lead == '{' && field == Field.PAYLOAD) {
            payload();
        } else {
            scanner.skip();
        }
        note(field, lead, start);
    }

    private void note(Field field, int lead, int start) {
        if ((seen & field.bit()) != 0) {
            return;
        }
        int i = field.ordinal();
        seen |= field.bit();
        first[i] = (byte) lead;
        from[i] = start;
        to[i] = scanner.position();
        if (lead == '"' && scanner.escaped()) {
            escaped |= field.bit();
        }
    }

    private void payload() {
        notes.begin();
        scanner.enterObject();
        while (scanner.nextKey()) {
            int letter = scanner.keyFirst();
            if (letter == '_' && reservedKey == null) {
                reservedKey = scanner.keyText();
            }
            int name = scanner.keyQuote() + 1;
            int lead = scanner.peek();
            int start = scanner.position();
            Field noted = Field.ofPayload(scanner, letter);
            if (noted != null) {
                member(noted);
            } else {
                scanner.skip();
            }
            notes.add(scanner, name, lead, start);
        }
    }

    /** What is wrong with the bytes as JSON, or null. */
    @Nullable JsonException broken() {
        return broken;
    }

    /** Whether every member was seen, even if one of them has to be refused. */
    boolean complete() {
        return object && complete;
    }

    /** Whether the bytes begin like an object. */
    boolean object() {
        return object;
    }

    /** Bits of the members that were there, JSON null included. */
    long seen() {
        return seen;
    }

    /** Whether the member was there, JSON null included. */
    boolean seen(Field field) {
        return (seen & field.bit()) != 0;
    }

    /** Whether the member is there and not JSON null. */
    boolean has(Field field) {
        return seen(field) && first[field.ordinal()] != 'n';
    }

    boolean isString(Field field) {
        return seen(field) && first[field.ordinal()] == '"';
    }

    boolean isObject(Field field) {
        return seen(field) && first[field.ordinal()] == '{';
    }

    /** Bytes of a string's content, or of any other value. */
    int length(Field field) {
        int i = field.ordinal();
        return to[i] - from[i] - (first[i] == '"' ? 2 : 0);
    }

    /** First byte of a string's content, or of any other value. */
    int from(Field field) {
        int i = field.ordinal();
        return from[i] + (first[i] == '"' ? 1 : 0);
    }

    boolean escaped(Field field) {
        return (escaped & field.bit()) != 0;
    }

    byte[] buffer() {
        return buf;
    }

    /** Bytes between the first and the last brace. */
    int size() {
        return end - begin;
    }

    /** What was seen of the members of the payload; only when {@link #isObject} says that there is one. */
    PayloadNotes payloadNotes() {
        return notes;
    }

    @Nullable String reservedKey() {
        return reservedKey;
    }

    /** The decoded text of a member that is a string, else null. */
    @Nullable String text(Field field) {
        if (!isString(field)) {
            return null;
        }
        int start = from(field);
        return JsonScanner.decode(buf, start, start + length(field), escaped(field));
    }

    /** The same for a member whose text comes again and again. */
    @Nullable String name(Field field) {
        return isString(field) && !escaped(field) ? names.text(buf, from(field), length(field)) : text(field);
    }

    /** Whether two members that are strings have the same text. */
    boolean sameText(Field one, Field other) {
        if (escaped(one) || escaped(other)) {
            return Objects.equals(text(one), text(other));
        }
        int a = from(one);
        int b = from(other);
        return Arrays.equals(buf, a, a + length(one), buf, b, b + length(other));
    }

    /** Whether a member that is no string stands there in exactly these bytes. */
    boolean sameBytes(Field field, byte[] known) {
        int start = from(field);
        return Arrays.equals(buf, start, start + length(field), known, 0, known.length);
    }

    /** A copy of the bytes of a member that is no string. */
    byte[] bytes(Field field) {
        return Arrays.copyOfRange(buf, from(field), from(field) + length(field));
    }

    /** The member as a value; null when absent or, in refused JSON, not readable on its own. */
    @Nullable Json value(Field field) {
        if (!seen(field)) {
            return null;
        }
        int i = field.ordinal();
        try {
            return Json.parse(buf, from[i], to[i] - from[i], JsonScanner.DEPTH_LIMIT);
        } catch (JsonException _) {
            return null;
        }
    }

    /** Short rendering of a member for an error; of a secret only what it is. */
    String shown(Field field) {
        return switch (seen(field) ? first[field.ordinal()] : 0) {
            case 0 -> "nothing";
            case '{' -> "an object";
            case '[' -> "an array";
            case '"' -> SECRETS.contains(field) ? "a string" : Shown.of(value(field));
            default -> Shown.of(value(field));
        };
    }

    /** What stood where an object was expected. */
    String shownTop() {
        return switch (first[0]) {
            case '[' -> "an array";
            case '"' -> "a string";
            case 'n' -> "null";
            case 't', 'f' -> "a truth value";
            default -> "a number";
        };
    }

    /** The event's bytes without what has to be cut. */
    byte[] stored() {
        int length = end - begin;
        for (int i = 0; i < cuts; i++) {
            length -= cutTo[i] - cutFrom[i];
        }
        byte[] out = new byte[length];
        int source = begin;
        int target = 0;
        for (int i = 0; i < cuts; i++) {
            int run = cutFrom[i] - source;
            System.arraycopy(buf, source, out, target, run);
            target += run;
            source = cutTo[i];
        }
        System.arraycopy(buf, source, out, target, end - source);
        return out;
    }

    /** Where a position of the input lies in {@link #stored()}. */
    private int moved(int position) {
        int result = position - begin;
        for (int i = 0; i < cuts; i++) {
            if (position >= cutTo[i]) {
                result -= cutTo[i] - cutFrom[i];
            }
        }
        return result;
    }

    /** Places of the routed fields in {@link #stored()}. */
    int[] spans(boolean taskIdFromPayload) {
        int mask = 0;
        for (int i = 0; i < Field.ROUTED; i++) {
            if (first[i] != 'n' && (seen & 1L << i) != 0) {
                mask |= 1 << i;
            }
        }
        boolean fallback = taskIdFromPayload && !has(Field.TASK_ID) && isString(Field.PAYLOAD_TASK_ID);
        if (fallback) {
            mask |= 1 << Field.TASK_ID.ordinal();
        }
        int[] spans = Spans.of(mask);
        int place = 1;
        for (int i = 0; i < Field.ROUTED; i++) {
            if ((mask & 1 << i) != 0) {
                Field field = fallback && i == Field.TASK_ID.ordinal() ? Field.PAYLOAD_TASK_ID : Field.at(i);
                Spans.set(spans, place, moved(from(field)), length(field), escaped(field));
                place += 2;
            }
        }
        return spans;
    }
}
