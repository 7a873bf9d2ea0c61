package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was given up (§6). The event itself stays in the log; this holds where.
 *
 * @param id id of the {@code event.dead_lettered} that told of it
 * @param owner who held the subscription: an identity
 * @param lsn where the event is in the log
 * @param attempts deliveries that failed
 * @param firstAt epoch milliseconds of the first failure
 * @param lastAt epoch milliseconds of the last one
 * @param lastError what was said last
 * @param history every failure that is remembered, oldest first
 * @param replays how often it was put back before
 */
public record Letter(
        String id,
        String tenant,
        String subscription,
        String owner,
        String eventId,
        String eventType,
        @Nullable String taskId,
        @Nullable String correlationId,
        long lsn,
        int attempts,
        long firstAt,
        long lastAt,
        ProtocolError lastError,
        Json.Arr history,
        int replays) {

    Letter at(long carriedTo) {
        return new Letter(
                id,
                tenant,
                subscription,
                owner,
                eventId,
                eventType,
                taskId,
                correlationId,
                carriedTo,
                attempts,
                firstAt,
                lastAt,
                lastError,
                history,
                replays);
    }

    void write(Out out) {
        out.string(id).string(tenant).string(subscription).string(owner);
        out.string(eventId).string(eventType).optional(taskId).optional(correlationId);
        out.varint(lsn).varint(attempts).varint(firstAt).varint(lastAt);
        out.string(lastError.toJson().toString()).string(history.toString()).varint(replays);
    }

    static Letter read(In in) {
        return new Letter(
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.optional(),
                in.optional(),
                in.varint(),
                (int) in.varint(),
                in.varint(),
                in.varint(),
                ProtocolError.parse((Json.Obj) Json.parse(in.string())),
                (Json.Arr) Json.parse(in.string()),
                (int) in.varint());
    }
}
