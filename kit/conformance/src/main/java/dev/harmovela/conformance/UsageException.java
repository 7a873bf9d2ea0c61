package dev.harmovela.conformance;

/**
 * What was asked for cannot be run: an unknown profile, level or target, or an unreadable suite (exit code 2). Without
 * a stack trace: it is an answer, no fault.
 */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message, null, false, false);
    }
}
