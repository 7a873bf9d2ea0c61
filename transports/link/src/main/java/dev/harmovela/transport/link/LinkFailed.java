package dev.harmovela.transport.link;

import org.jspecify.annotations.Nullable;

/** A broker cannot be reached or does not answer: the link is built anew, later. The message names no secret. */
public final class LinkFailed extends Exception {

    private static final long serialVersionUID = 1L;

    public LinkFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** With the text of what went wrong behind it. */
    public static LinkFailed because(String what, Throwable cause) {
        Throwable root = cause;
        for (Throwable next = cause.getCause(); next != null; next = next.getCause()) {
            root = next;
        }
        String why = root.getMessage();
        return new LinkFailed(what + ": " + (why == null ? root.getClass().getSimpleName() : why), cause);
    }
}
