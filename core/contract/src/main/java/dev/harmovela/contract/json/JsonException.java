package dev.harmovela.contract.json;

/**
 * Bytes or text that are refused as JSON (D18).
 *
 * <p>Made without a stack trace: it is an answer about input, caught close to where the input came in.
 */
public final class JsonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String path;
    private final String expected;
    private final String got;
    private final int offset;
    private final boolean syntax;

    JsonException(String path, String expected, String got, int offset, boolean syntax) {
        super(expected + " expected at " + (path.isEmpty() ? "the top" : path) + ", got " + got, null, false, false);
        this.path = path;
        this.expected = expected;
        this.got = got;
        this.offset = offset;
        this.syntax = syntax;
    }

    /** Dotted way to the place, array positions as numbers ({@code payload.items.0}); empty at the top. */
    public String path() {
        return path;
    }

    /** What would have been right. */
    public String expected() {
        return expected;
    }

    /** What was there instead, short and safe to show. */
    public String got() {
        return got;
    }

    /** What is wrong, in one phrase. */
    public String reason() {
        return expected + " expected, got " + got;
    }

    /** Bytes before the place, counted from the beginning of the document. */
    public int offset() {
        return offset;
    }

    /**
     * Whether the grammar of JSON is broken. False for what the grammar allows and this hub does not: repeated keys,
     * lone surrogates written as escapes, too deep nesting.
     */
    public boolean syntax() {
        return syntax;
    }
}
