package dev.harmovela.runtime;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds what somebody who mistyped a name probably meant. */
public final class Nearest {

    private Nearest() {}

    /** The most similar candidate, or null when none is similar. */
    public static @Nullable String to(String given, Collection<String> candidates) {
        String best = null;
        int least = Math.max(2, given.length() / 4) + 1;
        for (String candidate : candidates) {
            int distance = distance(given, candidate);
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best;
    }

    /** Letters to add, drop or replace to turn one into the other. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
