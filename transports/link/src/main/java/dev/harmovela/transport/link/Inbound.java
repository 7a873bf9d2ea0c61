package dev.harmovela.transport.link;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message that a broker handed out.
 *
 * @param place subject, topic or key
 * @param partition Kafka's partition, 0 elsewhere
 * @param position offset, stream sequence or entry id; empty where the broker has none
 * @param body its bytes, null when the broker lost them
 * @param headers {@code aep-*} headers or fields
 * @param replyTo subject that wants an answer (NATS), or null
 * @param token what the driver needs to settle it
 */
@SuppressWarnings("ArrayRecordComponent")
public record Inbound(
        String place,
        int partition,
        String position,
        byte @Nullable [] body,
        Map<String, String> headers,
        @Nullable String replyTo,
        @Nullable Object token) {

    public Inbound {
        headers = Map.copyOf(headers);
    }

    /** A message whose bytes the broker lost. */
    public static Inbound lost(String place, int partition, String position, Map<String, String> headers) {
        return new Inbound(place, partition, position, null, headers, null, null);
    }

    /** A header, or null. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** Whether its sender takes losses: it is settled before it is applied (D38). */
    boolean isBestEffort() {
        return "best_effort".equals(headers.get(Headers.DELIVERY_MODE));
    }
}
