package dev.harmovela.dimension.event;

/**
 * Where a session stands (§3). A session exists from its opening on; the ordinal is written to the log: only
 * append.
 */
public enum SessionState {
    /** Opened by the hub, not yet confirmed by the client. */
    OPENED,
    /** In use. */
    READY,
    /** Ended in an orderly way. */
    CLOSED,
    /** Ended by an error. */
    ERROR
}
