package dev.harmovela.transport.link;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message for a broker.
 *
 * @param place subject, topic or key
 * @param key what keeps its order among others (Kafka), or null
 * @param body the event
 * @param headers {@code aep-*} headers or fields
 * @param dedupe the same for every retry of one send (D38)
 * @param bestEffort whether a loss is accepted
 */
@SuppressWarnings("ArrayRecordComponent")
public record Outbound(
        String place,
        @Nullable String key,
        byte[] body,
        Map<String, String> headers,
        String dedupe,
        boolean bestEffort) {}
