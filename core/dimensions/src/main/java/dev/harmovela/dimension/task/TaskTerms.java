package dev.harmovela.dimension.task;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy.OnSessionClosed;
import dev.harmovela.dimension.task.TaskPolicy.Orphans;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a task was promised at its submission, resolved from its payload and the policy (D31).
 *
 * @param timeoutMs time from submission to its end, 0 none
 * @param endBy epoch milliseconds when it times out, the earlier of timeout and deadline; {@link Long#MAX_VALUE} never
 * @param leaseMs how long a detached owner keeps it
 * @param graceMs how long the owner has to confirm a cancellation
 * @param offlineMs how long it waits for a detached target, 0 when only {@code endBy} counts
 */
record TaskTerms(
        long timeoutMs,
        long endBy,
        long leaseMs,
        long graceMs,
        long offlineMs,
        OnSessionClosed onSessionClosed,
        Orphans orphans) {

    /** Terms, or why the payload's are not acceptable. */
    sealed interface Read {
        record Ok(TaskTerms terms) implements Read {}

        record Bad(ProtocolError error) implements Read {}
    }

    /** Resolves the terms of a submission. */
    static Read of(Json.Obj payload, TaskPolicy policy, long now) {
        for (String name : new String[] {"timeout_ms", "deadline_ms", "lease_ms", "cancel_grace_ms"}) {
            Long value = payload.integer(name);
            if (payload.get(name) != null && (value == null || value < 0)) {
                return new Read.Bad(ProtocolError.invalidPayload(
                        "payload." + name, "an integer of milliseconds, 0 or more", shown(payload.get(name))));
            }
        }
        OnSessionClosed onClose = choice(payload, "on_session_closed", policy.onSessionClosed(), OnSessionClosed.class);
        if (onClose == null) {
            return bad(payload, "on_session_closed", "fail, cancel or continue");
        }
        Orphans orphans = choice(payload, "orphans", policy.orphans(), Orphans.class);
        if (orphans == null) {
            return bad(payload, "orphans", "cancel or run");
        }
        long timeout = orElse(payload, "timeout_ms", policy.timeoutMs());
        long deadline = orElse(payload, "deadline_ms", Long.MAX_VALUE);
        boolean limited = payload.integer("timeout_ms") != null || payload.integer("deadline_ms") != null;
        return new Read.Ok(new TaskTerms(
                timeout,
                Math.min(timeout == 0 ? Long.MAX_VALUE : plus(now, timeout), deadline == 0 ? Long.MAX_VALUE : deadline),
                Math.max(orElse(payload, "lease_ms", policy.leaseMs()), policy.minLeaseMs()),
                orElse(payload, "cancel_grace_ms", policy.cancelGraceMs()),
                limited ? 0 : policy.offlineTargetMs(),
                onClose,
                orphans));
    }

    /** The sum, or {@link Long#MAX_VALUE} where it does not fit. */
    static long plus(long at, long millis) {
        long sum = at + millis;
        return sum < at ? Long.MAX_VALUE : sum;
    }

    private static long orElse(Json.Obj payload, String name, long otherwise) {
        Long value = payload.integer(name);
        return value == null ? otherwise : value;
    }

    private static <E extends Enum<E>> @Nullable E choice(Json.Obj payload, String name, E otherwise, Class<E> type) {
        if (payload.get(name) == null) {
            return otherwise;
        }
        String word = payload.string(name);
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
                return value;
            }
        }
        return null;
    }

    private static Read bad(Json.Obj payload, String name, String expected) {
        return new Read.Bad(ProtocolError.invalidPayload("payload." + name, expected, shown(payload.get(name))));
    }

    private static String shown(@Nullable Json value) {
        return Refusals.clipped(String.valueOf(value), 60);
    }

    void write(Out out) {
        out.varint(timeoutMs).i64(endBy).varint(leaseMs).varint(graceMs).varint(offlineMs);
        out.u8(onSessionClosed.ordinal()).u8(orphans.ordinal());
    }

    static TaskTerms read(In in) {
        return new TaskTerms(
                in.varint(),
                in.i64(),
                in.varint(),
                in.varint(),
                in.varint(),
                Stored.constant(OnSessionClosed.class, in.u8()),
                Stored.constant(Orphans.class, in.u8()));
    }
}
