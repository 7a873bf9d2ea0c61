package dev.harmovela.conformance.a2a.check;

/** Which releases' error tables the kit holds an endpoint to. */
public final class ErrorTable {

    /** What is asked for. */
    public static final String RELEASE = A2aError.RELEASE;

    /** What is tolerated and noted. */
    public static final String TOLERATED = A2aError.TOLERATED;

    private ErrorTable() {}
}
