package dev.harmovela.harness.delivery;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;

/**
 * Why a delivery did not succeed.
 *
 * @param error what the consumer or the clock said
 * @param retryable whether another attempt makes sense
 * @param retryAfterMillis the wait the consumer asked for, 0 when it named none
 * @param principal who said so, empty for the hub and its clock; for the audit
 */
public record Failure(ProtocolError error, boolean retryable, long retryAfterMillis, String principal) {

    /** No acknowledgement came in time. */
    static Failure ackTimeout(long millis) {
        return new Failure(
                ProtocolError.of(ErrorCode.TIMEOUT, "no acknowledgement within " + millis + " ms"), true, 0, "");
    }
}
