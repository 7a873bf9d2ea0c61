package dev.harmovela.conformance.a2a.wire;

/** No answer came, or none that can be read. Without a stack trace: it says something about the peer. */
public final class WireException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What happened. */
    public enum Kind {
        /** Nobody listens at the address, or it cannot be resolved. */
        UNREACHABLE,
        /** Time ran out. */
        TIMEOUT,
        /** The answer is longer than the kit reads. */
        TOO_LARGE,
        /** The exchange broke off, or was no HTTP. */
        BROKEN,
        /** The kit does not go to that address. */
        FORBIDDEN,
        /** What was to be sent has no form in this binding. */
        INEXPRESSIBLE
    }

    private final Kind kind;

    public WireException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
