package dev.harmovela.proto;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The words and signs of a .proto file without its comments. */
final class ProtoTokens {

    private static final Pattern TOKEN = Pattern.compile("//[^\n]*|\"[^\"]*\"|[A-Za-z0-9_.]+|[^\\s]");

    private final String name;
    private final List<String> all;
    private int at;

    ProtoTokens(String name, String text) {
        this.name = name;
        this.all = TOKEN.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(token -> !token.startsWith("//"))
                .toList();
    }

    boolean atEnd() {
        return at == all.size();
    }

    String next() {
        if (atEnd()) {
            throw new IllegalStateException(name + " ends in the middle of a declaration");
        }
        return all.get(at++);
    }

    void require(String token) {
        String found = next();
        if (!found.equals(token)) {
            throw unexpected(found);
        }
    }

    /** Whether the next token is that one, which is then taken. */
    boolean skip(String token) {
        boolean there = !atEnd() && all.get(at).equals(token);
        if (there) {
            at++;
        }
        return there;
    }

    int number() {
        String text = next();
        if (!text.matches("[0-9]{1,9}")) {
            throw unexpected(text);
        }
        return Integer.parseInt(text);
    }

    IllegalStateException unexpected(String token) {
        return new IllegalStateException(name + ": token " + at + ", \"" + token + "\", was not expected");
    }
}
