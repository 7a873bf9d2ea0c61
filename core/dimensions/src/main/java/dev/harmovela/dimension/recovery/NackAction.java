package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;

/** What a consumer's refusal of a delivery leads to (§6). */
public enum NackAction {
    /** Wait and deliver again. */
    RETRY,
    /** Nobody will be able to take it: dead letter now. */
    DEAD_LETTER;

    /**
     * Decides by the consumer's own word when it gave one, else by the code.
     *
     * @param retryableGiven whether the error named {@code retryable} itself
     */
    public static NackAction of(ProtocolError error, boolean retryableGiven) {
        if (retryableGiven) {
            return error.retryable() ? RETRY : DEAD_LETTER;
        }
        ErrorCode code = error.code();
        return switch (code) {
            case INVALID_ENVELOPE,
                    INVALID_EVENT_TYPE,
                    UNKNOWN_EVENT_TYPE,
                    UNSUPPORTED_VERSION,
                    PAYLOAD_TOO_LARGE,
                    INVALID_PAYLOAD,
                    PROTOCOL_ERROR,
                    NOT_SUPPORTED,
                    UNAUTHORIZED,
                    UNAUTHENTICATED -> DEAD_LETTER;
            default -> RETRY;
        };
    }
}
