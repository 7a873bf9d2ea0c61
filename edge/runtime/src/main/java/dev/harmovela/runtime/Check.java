package dev.harmovela.runtime;

import org.jspecify.annotations.Nullable;

/**
 * One thing a doctor looked at.
 *
 * @param name what it is
 * @param verdict how it is
 * @param text what was seen
 * @param advice what to do, null when nothing has to be done
 */
public record Check(
        String name, Verdict verdict, String text, @Nullable String advice) {

    /** How something is. */
    public enum Verdict {
        OK,
        /** Works, but somebody should know. */
        WARN,
        /** Keeps a hub from starting or from working. */
        BAD
    }

    static Check ok(String name, String text) {
        return new Check(name, Verdict.OK, text, null);
    }

    static Check warn(String name, String text, String advice) {
        return new Check(name, Verdict.WARN, text, advice);
    }

    static Check bad(String name, String text, String advice) {
        return new Check(name, Verdict.BAD, text, advice);
    }
}
