package dev.harmovela.bench;

/** Receives every event in order and acknowledges each one by itself. */
interface Consumer {

    /** Whether events would arrive. */
    boolean ready();

    /** Number of the last event received and acknowledged. */
    long received();

    /** Asks the server for a sign that it has handled every acknowledgement so far. */
    void fence();

    /** Whether that sign has come. */
    boolean fenced();
}
