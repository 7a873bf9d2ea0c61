package dev.harmovela.testkit.sim;

import java.util.ArrayDeque;
import java.util.List;

/** The newest actions in words, and a fingerprint of all of them. */
final class Script {

    private static final int KEPT = Integer.getInteger("harmovela.moves", 50);

    private final ArrayDeque<String> last = new ArrayDeque<>();
    private long fingerprint = 1;
    private int count;

    void add(String what) {
        if (last.size() == KEPT) {
            last.poll();
        }
        count++;
        last.add(count + " " + what);
        fingerprint = 31 * fingerprint + what.hashCode();
    }

    /** What follows from the newest action. */
    void note(String what) {
        String action = last.pollLast();
        last.add(action + "\n      " + what);
        fingerprint = 31 * fingerprint + what.hashCode();
    }

    /** Equal for equal runs. */
    long fingerprint() {
        return fingerprint;
    }

    int count() {
        return count;
    }

    List<String> last() {
        return List.copyOf(last);
    }
}
