package dev.harmovela.transport.link;

/** A broker will never take this one message: too large for it, or a name that its rules forbid (D38). */
public final class WriteRefused extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean tooLarge;

    public WriteRefused(String message, boolean tooLarge) {
        super(message);
        this.tooLarge = tooLarge;
    }

    /** Whether its size is the reason. */
    public boolean isTooLarge() {
        return tooLarge;
    }
}
