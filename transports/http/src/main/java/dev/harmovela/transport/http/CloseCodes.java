package dev.harmovela.transport.http;

import dev.harmovela.spi.CloseReason;

/**
 * WebSocket close codes (§13). {@link CloseReason#SLOW_READER} has none there and uses 1013, "try again later": the
 * reader may resume from its cursor. {@link CloseReason#REPLACED} uses 1000, since a client that answers an
 * abnormal end by coming back would take the session away again from the connection that just took it.
 */
final class CloseCodes {

    static final int NORMAL = 1000;
    static final int GOING_AWAY = 1001;
    static final int PROTOCOL_ERROR = 1002;
    static final int UNSUPPORTED_DATA = 1003;
    static final int POLICY = 1008;
    static final int TOO_LARGE = 1009;
    static final int INTERNAL = 1011;
    static final int TRY_AGAIN_LATER = 1013;

    private CloseCodes() {}

    static int of(CloseReason reason) {
        return switch (reason) {
            case NORMAL, REPLACED -> NORMAL;
            case GOING_AWAY -> GOING_AWAY;
            case PROTOCOL_ERROR -> PROTOCOL_ERROR;
            case UNAUTHORIZED -> POLICY;
            case TOO_LARGE -> TOO_LARGE;
            case SLOW_READER -> TRY_AGAIN_LATER;
            case INTERNAL -> INTERNAL;
        };
    }

    /** Whether a peer may send this code (RFC 6455 section 7.4). */
    static boolean mayBeReceived(int code) {
        return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
    }
}
