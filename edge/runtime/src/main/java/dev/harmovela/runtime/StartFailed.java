package dev.harmovela.runtime;

import org.jspecify.annotations.Nullable;

/** A hub did not start; the message is one sentence for the person who started it (CLI-03). */
public final class StartFailed extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why a hub did not start. */
    public enum Reason {
        /** Somebody else listens on the port, or the address is not one of this machine. */
        PORT_TAKEN,
        /** The address can be reached from elsewhere and nobody said that this is wanted. */
        INSECURE_NETWORK,
        /** Another hub has the data directory open. */
        DATA_LOCKED,
        /** The data directory cannot be made, read or written. */
        DATA_UNUSABLE,
        /** The journal is damaged or of another version. */
        DATA_DAMAGED,
        /** The security file is not what it should be. */
        SECURITY_UNUSABLE
    }

    private final Reason reason;
    private final String hint;

    StartFailed(Reason reason, String sentence, String hint, @Nullable Throwable cause) {
        super(sentence, cause);
        this.reason = reason;
        this.hint = hint;
    }

    /** What kind of obstacle it is. */
    public Reason reason() {
        return reason;
    }

    /** What to do about it, one sentence. */
    public String hint() {
        return hint;
    }

    /** The sentence. */
    public String sentence() {
        String message = getMessage();
        return message == null ? "the hub did not start" : message;
    }
}
