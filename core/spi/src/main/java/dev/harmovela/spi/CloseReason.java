package dev.harmovela.spi;

/** Why the hub ends a wire; each transport maps it to its own codes (WebSocket: spec section 13). */
public enum CloseReason {
    /** The session was closed by its client. */
    NORMAL,
    /** The peer fell silent, or the hub drains. */
    GOING_AWAY,
    /** The bytes were not of the protocol. */
    PROTOCOL_ERROR,
    /** The credential does not allow this. */
    UNAUTHORIZED,
    /** A message was larger than allowed. */
    TOO_LARGE,
    /** The reader was slower than its buffer allows; it may resume from its cursor. */
    SLOW_READER,
    /** Another connection took the session over. */
    REPLACED,
    /** The hub failed. */
    INTERNAL
}
