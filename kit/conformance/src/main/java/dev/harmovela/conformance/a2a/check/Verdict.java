package dev.harmovela.conformance.a2a.check;

/** Ends a check early, with what it came to. Without a stack trace: it is a result. */
final class Verdict extends Exception {

    private static final long serialVersionUID = 1L;

    private final Outcome.Status status;

    Verdict(Outcome.Status status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    Outcome.Status status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
