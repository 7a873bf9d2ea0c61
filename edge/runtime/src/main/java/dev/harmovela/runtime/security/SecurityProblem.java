package dev.harmovela.runtime.security;

/** The security file, or a change to it, cannot be used; the message says where and why, and holds no secret. */
public final class SecurityProblem extends Exception {

    private static final long serialVersionUID = 1L;

    SecurityProblem(String sentence) {
        super(sentence);
    }

    /** One sentence. */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
