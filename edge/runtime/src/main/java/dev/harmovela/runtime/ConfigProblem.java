package dev.harmovela.runtime;

/** The configuration cannot be used; the message is one sentence that names the value and where it stands. */
public final class ConfigProblem extends Exception {

    private static final long serialVersionUID = 1L;

    private final String hint;

    ConfigProblem(String message, String hint) {
        super(message);
        this.hint = hint;
    }

    /** What to do about it, one sentence. */
    public String hint() {
        return hint;
    }

    /** The sentence. */
    public String sentence() {
        String message = getMessage();
        return message == null ? "the configuration cannot be used" : message;
    }
}
