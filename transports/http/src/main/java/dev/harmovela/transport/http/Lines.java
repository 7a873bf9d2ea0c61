package dev.harmovela.transport.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts a request body into events without touching their bytes. */
final class Lines {

    /** One event's bytes within the body. */
    record Span(int offset, int length) {}

    private Lines() {}

    /** Lines that are not blank, without their line ends. */
    static List<Span> ofText(byte[] body) {
        List<Span> spans = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= body.length; i++) {
            if (i == body.length || body[i] == '\n') {
                addTrimmed(spans, body, from, i);
                from = i + 1;
            }
        }
        return spans;
    }

    /** The elements of a JSON array, or the whole body when it is anything else. */
    static List<Span> ofJson(byte[] body) {
        List<Span> spans = new ArrayList<>();
        addTrimmed(spans, body, 0, body.length);
        if (spans.isEmpty() || body[spans.getFirst().offset()] != '[') {
            return spans;
        }
        Span whole = spans.getFirst();
        List<Span> elements = elements(body, whole.offset() + 1, whole.offset() + whole.length());
        return elements == null ? spans : elements;
    }

    /** Null when brackets and quotes do not close, or something follows the array. */
    private static @Nullable List<Span> elements(byte[] body, int start, int end) {
        List<Span> spans = new ArrayList<>();
        int depth = 0;
        boolean inString = false;
        int from = start;
        for (int i = start; i < end; i++) {
            byte b = body[i];
            if (inString) {
                if (b == '\\') {
                    i++;
                } else if (b == '"') {
                    inString = false;
                }
            } else if (b == '"') {
                inString = true;
            } else if (b == '{' || b == '[') {
                depth++;
            } else if (depth > 0 && (b == '}' || b == ']')) {
                depth--;
            } else if (depth == 0 && (b == ',' || b == ']')) {
                boolean empty = !addTrimmed(spans, body, from, i);
                from = i + 1;
                if (empty && (b == ',' || !spans.isEmpty())) {
                    return null;
                }
                if (b == ']') {
                    return from == end ? spans : null;
                }
            }
        }
        return null;
    }

    private static boolean addTrimmed(List<Span> spans, byte[] body, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && isSpace(body[start])) {
            start++;
        }
        while (end > start && isSpace(body[end - 1])) {
            end--;
        }
        if (end == start) {
            return false;
        }
        spans.add(new Span(start, end - start));
        return true;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
