package dev.harmovela.proto;

/** Something is no message of its type. The text is safe to show to the peer. */
public final class ProtoMismatch extends Exception {

    private static final long serialVersionUID = 1L;

    ProtoMismatch(String text, Throwable cause) {
        super(text, cause);
    }

    /** What is wrong. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
