package dev.harmovela.contract.json;

import java.nio.charset.StandardCharsets;

/** Characters of JSON strings: UTF-8 checking, escapes in, escapes out. */
final class JsonText {

    private static final char REPLACEMENT = '\uFFFD';

    private JsonText() {}

    /**
     * Length of the well-formed UTF-8 sequence that starts at {@code at} with a byte above 0x7F, or 0 when it is
     * overlong, cut off, a surrogate or beyond U+10FFFF.
     */
    static int utf8Length(byte[] b, int at, int end) {
        int lead = b[at] & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        if (lead < 0xE0) {
            return at + 1 < end && continues(b[at + 1]) ? 2 : 0;
        }
        if (at + 2 >= end || !continues(b[at + 1]) || !continues(b[at + 2])) {
            return 0;
        }
        int second = b[at + 1] & 0xFF;
        if (lead < 0xF0) {
            boolean bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F);
            return bad ? 0 : 3;
        }
        boolean bad = (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
        return !bad && at + 3 < end && continues(b[at + 3]) ? 4 : 0;
    }

    private static boolean continues(byte b) {
        return (b & 0xC0) == 0x80;
    }

    /** Value of four hexadecimal digits, or -1. */
    static int hex4(byte[] b, int at, int end) {
        if (at + 4 > end) {
            return -1;
        }
        int value = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = b[i] < 0 ? -1 : Character.digit(b[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** The character that a checked escape of two bytes stands for. */
    static char simpleEscape(byte letter) {
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> (char) letter;
        };
    }

    /** Content of a checked JSON string without its quotes. */
    static String decode(byte[] b, int from, int to, boolean escaped) {
        if (!escaped) {
            return new String(b, from, to - from, StandardCharsets.UTF_8);
        }
        StringBuilder out = new StringBuilder(to - from);
        int plain = from;
        int at = from;
        while (at < to) {
            if (b[at] != '\\') {
                at++;
                continue;
            }
            out.append(new String(b, plain, at - plain, StandardCharsets.UTF_8));
            if (b[at + 1] == 'u') {
                out.append((char) hex4(b, at + 2, to));
                at += 6;
            } else {
                out.append(simpleEscape(b[at + 1]));
                at += 2;
            }
            plain = at;
        }
        return out.append(new String(b, plain, to - plain, StandardCharsets.UTF_8))
                .toString();
    }

    /** Whether every surrogate has its partner. */
    static boolean wellFormed(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!pairAt(s, i)) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static boolean pairAt(String s, int i) {
        return Character.isHighSurrogate(s.charAt(i))
                && i + 1 < s.length()
                && Character.isLowSurrogate(s.charAt(i + 1));
    }

    /** Appends {@code s} as a JSON string; a lone surrogate becomes U+FFFD. */
    static void quote(StringBuilder out, String s) {
        out.append('"');
        int plain = 0;
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c >= 0x20 && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isSurrogate(c) && pairAt(s, i)) {
                i++;
                continue;
            }
            out.append(s, plain, i);
            plain = i + 1;
            escape(out, c);
        }
        out.append(s, plain, s.length()).append('"');
    }

    private static void escape(StringBuilder out, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            default -> {
                if (c < 0x20) {
                    out.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
                } else {
                    out.append(REPLACEMENT);
                }
            }
        }
    }

    /** A path with one more name; bounded, since paths are shown to people. */
    static String dotted(String path, String name) {
        if (path.length() > 400) {
            return path;
        }
        return path.isEmpty() ? shown(name) : path + "." + shown(name);
    }

    /** The beginning of a name. */
    static String shown(String name) {
        return name.length() <= 64 ? name : name.substring(0, 64) + "…";
    }
}
