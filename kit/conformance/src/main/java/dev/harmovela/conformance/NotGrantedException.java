package dev.harmovela.conformance;

/**
 * The target is there but does not grant conformance sessions to this caller (D24). Without a stack trace: it is an
 * answer, no fault.
 */
public final class NotGrantedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotGrantedException(String message) {
        super(message, null, false, false);
    }
}
