package dev.harmovela.testkit.disk;

/** The simulated machine went down in the middle of a call to its disk; every later call fails the same way. */
public final class SimCrash extends RuntimeException {

    private static final long serialVersionUID = 1;

    SimCrash(int step) {
        super("crash at step " + step, null, false, false);
    }
}
