package dev.harmovela.spi;

/** What a journal tells its owner, on a thread of the journal. */
public interface JournalListener {

    /** Everything up to {@code lsn} is on stable storage. */
    void durable(long lsn);

    /**
     * A write or force failed: nothing behind {@link Journal#durableLsn()} may ever be believed; the process must
     * end.
     */
    void lost(Throwable cause);

    /** {@link Journal#acceptsPublishes()} changed. */
    default void spaceChanged(boolean acceptsPublishes) {}
}
