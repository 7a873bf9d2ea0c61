package dev.harmovela.bench;

/** A measurement that cannot go on: a peer is missing, did not start, refused or lost something. */
final class BenchFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    BenchFailed(String message) {
        super(message);
    }

    BenchFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
