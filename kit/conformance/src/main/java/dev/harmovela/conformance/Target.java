package dev.harmovela.conformance;

import java.util.function.Supplier;

/** An implementation that can be judged: it opens a fresh conversation for every fixture. */
public interface Target extends AutoCloseable {

    /** How it was named on the command line. */
    String name();

    /** The transport profile that its conversations use (§3), or {@code in-process}. */
    String transportProfile();

    /**
     * Opens a conversation.
     *
     * @throws UnreachableException when nobody answers
     * @throws NotGrantedException when the target does not open conformance sessions for this caller
     */
    Exchange open();

    /** Frees what all conversations shared. */
    @Override
    default void close() {}

    /** A target in this process; each call of {@code exchanges} must give a fresh space. */
    static Target inProcess(String name, Supplier<Exchange> exchanges) {
        return new Target() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String transportProfile() {
                return "in-process";
            }

            @Override
            public Exchange open() {
                return exchanges.get();
            }
        };
    }
}
