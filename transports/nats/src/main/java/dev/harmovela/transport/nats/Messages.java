package dev.harmovela.transport.nats;

import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.Outbound;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns messages of NATS into those of links and back. */
final class Messages {

    private Messages() {}

    static Inbound inbound(Message message, String position, @Nullable String replyTo) {
        Map<String, String> headers = new LinkedHashMap<>();
        Headers given = message.getHeaders();
        if (given != null) {
            for (String name : given.keySet()) {
                String value = given.getFirst(name);
                if (value != null) {
                    headers.put(name.toLowerCase(java.util.Locale.ROOT), value);
                }
            }
        }
        byte[] body = message.getData();
        return new Inbound(
                message.getSubject(), 0, position, body == null ? new byte[0] : body, headers, replyTo, message);
    }

    static Message outbound(Outbound message) {
        Headers headers = new Headers();
        message.headers().forEach(headers::put);
        return NatsMessage.builder()
                .subject(message.place())
                .headers(headers)
                .data(message.body())
                .build();
    }

    static boolean fits(Connection connection, Outbound message) {
        long headers = message.headers().entrySet().stream()
                .mapToLong(one -> one.getKey().length() + one.getValue().length() + 4L)
                .sum();
        return message.body().length + headers + 128 <= connection.getMaxPayload();
    }
}
