package dev.harmovela.transport.link;

import java.nio.charset.StandardCharsets;

/**
 * Names of subjects, topics and keys of one link (§13, D19, D36). What comes from an event is escaped before it
 * becomes
 * a part of one: a name can then neither reach into another part nor hold a wildcard, a space or a hash tag.
 *
 * @param prefix what every name of the link begins with
 * @param mark what stands before the two digits of an escaped byte; Kafka takes no {@code =}, and no name of ours
 *     has two
 *     dots in a row
 */
public record Names(String prefix, String mark) {

    static final String EQUALS = "=";
    static final String DOTS = "..";

    private static final String HEX = "0123456789ABCDEF";

    /** Where peers write under single routing, and exports go. */
    public String events() {
        return prefix + ".events";
    }

    /** Where the hub answers all peers under single routing. */
    public String out() {
        return prefix + ".out";
    }

    /** Where the hub answers one session under mapped routing. */
    public String to(String session) {
        return prefix + ".to." + escape(session, false, mark);
    }

    /** A mapped name. */
    public String mapped(String axis, String value) {
        return prefix + "." + axis + "." + escape(value, "type".equals(axis), mark);
    }

    /** Whether a name is one that only the hub writes to. */
    public boolean isOutbound(String name) {
        return name.equals(out()) || name.startsWith(prefix + ".to.") || name.endsWith(".best_effort");
    }

    /** One part of a name: letters, digits, minus and underscore stay, every other byte is written as {@code =HH}. */
    public static String escaped(String value) {
        return escape(value, false, EQUALS);
    }

    /** Event types keep their dots, so that wildcards of the broker work on their parts. */
    private static String escape(String value, boolean dots, String mark) {
        StringBuilder out = new StringBuilder(value.length());
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            boolean inner = i > 0 && i < bytes.length - 1 && bytes[i - 1] != '.';
            if (isPlain(c) || (dots && c == '.' && inner)) {
                out.append(c);
            } else {
                out.append(mark).append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
            }
        }
        return out.isEmpty() ? mark + "00" : out.toString();
    }

    private static boolean isPlain(char c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }
}
