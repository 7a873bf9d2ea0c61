package dev.harmovela.dimension;

/** What the hub knows of who is there; asked while deciding, never while folding. */
public interface Presence {

    /** Whether the identity, or for a pool any of its members, is attached at this moment. */
    boolean attached(String tenant, String identity);

    /** Last sign of life of the identity's sessions, epoch milliseconds; 0 when it never had a session. */
    long lastSeen(String tenant, String identity);
}
