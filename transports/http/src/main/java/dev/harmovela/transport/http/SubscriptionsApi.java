package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Subscriptions of callers without a session (D34): made and ended by events that are written here on their behalf. */
final class SubscriptionsApi {

    private static final String NAMELESS_CALLER = "agent:api";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final byte[] EVENTS = bytes("{\"events\":[");
    private static final byte[] CURSOR = bytes("],\"cursor\":");

    private final Port port;
    private final Posting posting;

    SubscriptionsApi(Port port) {
        this.port = port;
        this.posting = new Posting(port);
    }

    /** {@code POST subscriptions} with a filter: 201 and what was created. */
    void create(Exchange exchange) {
        Json.Obj filter = filter(exchange);
        if (filter == null) {
            return;
        }
        request(exchange, "subscription.requested", filter, reply -> {
            String id = reply.payload().string("subscription_id");
            if (id != null) {
                exchange.with("Location", "/harmovela/api/subscriptions/" + id);
            }
            exchange.json(201, reply.payload());
        });
    }

    /** {@code DELETE subscriptions/{id}}: 200 and what was cancelled. */
    void cancel(Exchange exchange) {
        Json.Obj payload =
                Json.Obj.builder().put("subscription_id", exchange.argument(0)).build();
        request(exchange, "subscription.cancelled", payload, reply -> exchange.json(200, reply.payload()));
    }

    /** {@code GET subscriptions/{id}/events}: deliveries as they come, to be acknowledged by {@code POST events}. */
    void poll(Exchange exchange) {
        int longest = (int) port.config().times().longPollMillis();
        Integer timeout = QueriesApi.number(exchange, "timeout_ms", 0, 0, Integer.MAX_VALUE);
        Integer limit = timeout == null ? null : QueriesApi.number(exchange, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        if (timeout == null || limit == null) {
            return;
        }
        long waiting = Math.min(timeout, longest);
        port.hub().pull(exchange.caller(), exchange.argument(0), limit, waiting, pulled -> {
            switch (pulled) {
                case Hub.Pulled.Events(List<byte[]> events, String cursor) ->
                    exchange.respond(200, Exchange.JSON, page(events, cursor));
                case Hub.Pulled.Refused(ProtocolError error) -> exchange.fail(Statuses.ofThing(error), error);
            }
        });
    }

    /** {@code GET subscriptions/{id}/stream}: the same as server-sent events. */
    void stream(Exchange exchange) {
        if (port.draining()) {
            exchange.fail(Statuses.UNAVAILABLE, HttpServer.drainingError());
            return;
        }
        SseWire wire = new SseWire(exchange, port.config());
        WireInfo info = new WireInfo("sse", exchange.caller(), WireInfo.Kind.DUPLEX);
        SessionStreams.begin(
                exchange,
                wire,
                port.hub().attachSubscription(wire, info, exchange.argument(0), exchange.query("from_cursor")));
    }

    private interface Accepted {
        void reply(Report.Reply reply);
    }

    private void request(Exchange exchange, String type, Json.Obj payload, Accepted accepted) {
        String identity = exchange.caller().identity();
        byte[] event = bytes(Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", "http-" + UUID.randomUUID())
                .put("type", type)
                .put("source", identity == null ? NAMELESS_CALLER : identity)
                .put("created_at", Instant.now().toString())
                .put("payload", payload)
                .build()
                .toString());
        exchange.body(event);
        posting.send(exchange, List.of(new Lines.Span(0, event.length)), "http", (submission, report) -> {
            Report.Reply reply = report.lines().getFirst().reply();
            if (reply == null) {
                exchange.fail(500, ProtocolError.of(ErrorCode.INTERNAL_ERROR, "internal error"));
            } else if (reply.refused()) {
                exchange.fail(statusOf(type, reply.error()), reply.error());
            } else {
                accepted.reply(reply);
            }
        });
    }

    private static int statusOf(String type, ProtocolError error) {
        return type.equals("subscription.requested") ? Statuses.ofEvent(error) : Statuses.ofThing(error);
    }

    private static Json.@Nullable Obj filter(Exchange exchange) {
        try {
            if (Json.parse(exchange.body(), 0, exchange.body().length) instanceof Json.Obj filter) {
                return filter;
            }
            exchange.fail(
                    Statuses.BAD_REQUEST,
                    ProtocolError.of(ErrorCode.INVALID_PAYLOAD, "a subscription is asked for by a JSON object"));
        } catch (JsonException notJson) {
            exchange.fail(
                    Statuses.BAD_REQUEST,
                    ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "the body is not JSON: " + notJson.reason()));
        }
        return null;
    }

    /** Whole events are put in as they are, so that their numbers and spaces survive. */
    private static byte[] page(List<byte[]> events, @Nullable String cursor) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        page.writeBytes(EVENTS);
        for (int i = 0; i < events.size(); i++) {
            if (i > 0) {
                page.write(',');
            }
            page.writeBytes(events.get(i));
        }
        page.writeBytes(CURSOR);
        page.writeBytes(bytes(cursor == null ? "null" : new Json.Str(cursor).toString()));
        page.write('}');
        return page.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
