package dev.harmovela.contract;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of event types (§4): {@code *} alone matches every type, an inner {@code *} exactly one word, a trailing
 * {@code .*} one or more words; everything else stands for itself, upper and lower case apart.
 */
public final class TypePattern {

    private static final String ANY = "*";

    private final String text;
    private final String[] words;
    private final boolean open;

    private TypePattern(String text, String[] words, boolean open) {
        this.text = text;
        this.words = words;
        this.open = open;
    }

    /** Why the text is no pattern, or null when it is one. */
    public static @Nullable String problem(String text) {
        if (text.isEmpty()) {
            return "a pattern cannot be empty";
        }
        if (text.contains("**")) {
            return "** is not a wildcard here: a trailing .* already matches any number of words";
        }
        for (String word : text.split("\\.", -1)) {
            if (word.isEmpty()) {
                return "a pattern cannot have an empty word";
            }
            if (!word.equals(ANY) && word.contains(ANY)) {
                return "* stands for a whole word, not for a part of " + word;
            }
            if (!word.equals(ANY) && !plain(word)) {
                return "words consist of letters, digits, _ and -";
            }
        }
        return null;
    }

    private static boolean plain(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (c < '0' || c > '9') && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** Reads a pattern; {@link IllegalArgumentException} carries {@link #problem}. */
    public static TypePattern parse(String text) {
        String problem = problem(text);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        String[] words = text.split("\\.", -1);
        boolean open = words[words.length - 1].equals(ANY);
        return new TypePattern(text, open ? Arrays.copyOf(words, words.length - 1) : words, open);
    }

    /** Whether the type matches. */
    public boolean matches(String type) {
        int at = 0;
        for (String word : words) {
            if (at > type.length()) {
                return false;
            }
            int dot = type.indexOf('.', at);
            int end = dot < 0 ? type.length() : dot;
            boolean same = word.equals(ANY) || (word.length() == end - at && type.startsWith(word, at));
            if (!same) {
                return false;
            }
            at = end + 1;
        }
        return open ? at <= type.length() : at == type.length() + 1;
    }

    /** Whether every type that {@code other} can match matches this too. */
    public boolean covers(TypePattern other) {
        if (!open && (other.open || words.length != other.words.length)) {
            return false;
        }
        int least = other.words.length + (other.open ? 1 : 0);
        if (open && least < words.length + 1) {
            return false;
        }
        for (int i = 0; i < words.length; i++) {
            if (!words[i].equals(ANY) && !words[i].equals(other.words[i])) {
                return false;
            }
        }
        return true;
    }

    /** Words in front of a trailing wildcard. */
    public int size() {
        return words.length;
    }

    /** The word at {@code i}, or {@code *}. */
    public String word(int i) {
        return words[i];
    }

    /** Whether one or more further words may follow. */
    public boolean open() {
        return open;
    }

    /** The type itself when the pattern has no wildcard, else null. */
    public @Nullable String literal() {
        return text.indexOf('*') < 0 ? text : null;
    }

    /** Whether the pattern begins with the words of {@code family}, without a wildcard among them (D32). */
    public boolean names(String family) {
        return text.equals(family) || text.startsWith(family + ".");
    }

    /**
     * Whether a filter with this pattern brings events of the type: those of the hub's own families only when it names
     * the family (D32).
     */
    public boolean brings(EventType type) {
        return matches(type.name()) && (!type.reserved() || names(type.family()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TypePattern that && that.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
