package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import org.jspecify.annotations.Nullable;

/**
 * One operation, whatever binding it came over.
 *
 * @param operation its name in the service
 * @param params the request message with official names
 * @param caller who asks
 * @param agent whom it is for, {@code agent:name}
 * @param key what the {@code Idempotency-Key} header said, or null
 * @param lastEventId what the {@code Last-Event-ID} header said, or null
 */
record Call(
        String operation,
        Json.Obj params,
        Caller caller,
        String agent,
        @Nullable String key,
        @Nullable Long lastEventId) {

    /** Who a request without a name of its own counts as. */
    static final String ANYBODY = "agent:a2a";

    /** Whose tasks the caller's are. */
    String source() {
        String identity = caller.identity();
        return identity == null ? ANYBODY : identity;
    }

    /** Whether the caller may see and end what others submitted: its token grants it by name, not only by a role. */
    boolean manages() {
        return caller.grants().contains("*") || caller.grants().contains("task.manage");
    }

    Call with(Json.Obj other) {
        return new Call(operation, other, caller, agent, key, lastEventId);
    }

    Call named(String other) {
        return new Call(other, params, caller, agent, key, lastEventId);
    }

    /** What came of a call: exactly one of the two, once. */
    interface Outcome {
        void done(Json result);

        void refused(Refusal refusal);

        /** Runs {@code task} if the client goes away before. */
        void whenLeft(Runnable task);
    }

    /** Where a stream goes. */
    interface Stream {
        /** Nothing is refused any more. */
        void begin(Runnable onClosed);

        void event(long number, Json.Obj response);

        void gap();

        void end();

        void refused(Refusal refusal);
    }
}
