package dev.harmovela.conformance;

/** The target could not be reached at all (exit code 3). Without a stack trace: it is an answer, no fault. */
public final class UnreachableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnreachableException(String message) {
        super(message, null, false, false);
    }
}
