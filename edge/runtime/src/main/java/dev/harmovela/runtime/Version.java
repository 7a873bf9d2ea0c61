package dev.harmovela.runtime;

/** Which hub this is. */
public final class Version {

    /** Name of the product. */
    public static final String NAME = "harmovela";

    /** Of the product. */
    public static final String NUMBER = "0.1.0";

    /** Of the protocol ({@code spec_version}). */
    public static final String PROTOCOL = "0.2";

    private Version() {}
}
