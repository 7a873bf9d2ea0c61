package dev.harmovela.testkit.sim;

/** A promise of the hub was broken. */
final class Violation extends AssertionError {

    private static final long serialVersionUID = 1;

    Violation(String what) {
        super(what);
    }
}
