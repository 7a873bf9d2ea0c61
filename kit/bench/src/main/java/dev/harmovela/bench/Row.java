package dev.harmovela.bench;

import java.util.List;
import java.util.Set;

/** What can be measured, in the order in which it is. */
enum Row {
    PUBLISH_W1(0, 1),
    PUBLISH_W64(0, 64),
    PUBLISH_W1024(0, 1024),
    CONSUME1_W1(1, 1),
    CONSUME1_W64(1, 64),
    CONSUME1_W1024(1, 1024),
    CONSUME4_W1(4, 1),
    CONSUME4_W64(4, 64),
    CONSUME4_W1024(4, 1024),
    VERSION,
    READY,
    SESSIONS,
    BACKLOG,
    REPLAY;

    private final int consumers;
    private final int window;

    Row() {
        this(0, 0);
    }

    Row(int consumers, int window) {
        this.consumers = consumers;
        this.window = window;
    }

    /** How it is called on the command line. */
    String wire() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    /** Whether every contender runs it. */
    boolean contest() {
        return window > 0;
    }

    int consumers() {
        return consumers;
    }

    /** Events under way. */
    int window() {
        return window;
    }

    /** What it is, for a table. */
    String title() {
        String to = switch (consumers) {
            case 0 -> "publish only";
            case 1 -> "1 consumer";
            default -> consumers + " consumers";
        };
        return contest() ? window + " in flight, " + to : wire();
    }

    /** The rows whose names begin with one of the words; all without a word, none when a word fits no row. */
    static List<Row> named(Set<String> words) {
        List<Row> all = List.of(values());
        boolean known = words.stream().allMatch(word -> all.stream().anyMatch(row -> row.isCalled(word)));
        return known
                ? all.stream()
                        .filter(row -> words.isEmpty() || words.stream().anyMatch(row::isCalled))
                        .toList()
                : List.of();
    }

    private boolean isCalled(String word) {
        return wire().equals(word) || wire().startsWith(word + "-");
    }
}
