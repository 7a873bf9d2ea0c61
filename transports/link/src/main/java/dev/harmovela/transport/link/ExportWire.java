package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subscription of a link that exports (D37, D38): a group of its own on the hub, whose position outlives hub
 * and link. Each
 * event is settled by the broker's confirmation; the hub's own acknowledgement clock is as good as off, so that an
 * outage neither
 * repeats nor gives up anything.
 */
final class ExportWire extends LinkWire {

    private static final long NO_CLOCK_MILLIS = 30L * 24 * 3_600_000;
    private static final int NEVER_GIVEN_UP = 1_000_000;
    private static final int IN_FLIGHT = 1024;

    private @Nullable String subscription;

    ExportWire(LinkContext link, String sessionId, String source) {
        super(link, sessionId, source, "0");
    }

    /** Opens the session and the subscription; both are there already when the hub or the link was away. */
    void begin() {
        say(
                "session.open",
                Json.Obj.builder()
                        .put("session_id", sessionId)
                        .put(
                                "capabilities",
                                Json.Obj.builder()
                                        .put("profiles", List.of("harmovela.core.v1", "harmovela.delivery.v1"))
                                        .build())
                        .build());
        say("session.ready", Json.Obj.of());
        Json.Obj retry = Json.Obj.builder()
                .put("ack_timeout_ms", NO_CLOCK_MILLIS)
                .put("max_attempts", NEVER_GIVEN_UP)
                .build();
        say(
                "subscription.requested",
                Json.Obj.builder()
                        .put("types", link.settings().types())
                        .put("consumer_group", "link:" + link.settings().name())
                        .put("delivery_mode", "at_least_once")
                        .put("max_in_flight", IN_FLIGHT)
                        .put("retry", retry)
                        .build());
        endBatch();
    }

    @Override
    void ownAnswer(String type, Json.Obj event) {
        Json.Obj payload = event.object("payload");
        if (type.equals("subscription.created") && payload != null) {
            subscription = payload.string("subscription_id");
        }
        super.ownAnswer(type, event);
    }

    @Nullable String subscription() {
        return subscription;
    }

    /** What was imported is never exported (D36); what only concerns this session is not for the broker. */
    @Override
    public void send(Message message) {
        if (message.answer || message.headLength == 0) {
            super.send(message);
            return;
        }
        byte[] bytes = message.toByteArray();
        Json.Obj event = Envelope.parse(bytes);
        if (event != null && event.has(Headers.IMPORTED)) {
            link.figures().skipped.increment();
            acknowledge(List.of(event));
        } else {
            queue(message.type, bytes, null);
        }
    }

    @Override
    public Outbound address(Outbox.Item item, Json.Obj event) {
        LinkSettings settings = link.settings();
        String dedupe = Envelope.dedupe(event, item.resumes());
        String type = String.valueOf(event.string("type"));
        String place = settings.routing() == Routing.SINGLE
                ? settings.names().events()
                : settings.names().mapped("type", type);
        return new Outbound(
                place,
                Envelope.key(event),
                item.body(),
                Envelope.headers(event, link.host().identity().id(), dedupe),
                dedupe,
                "best_effort".equals(Envelope.mode(event)));
    }

    @Override
    public void confirmed(List<Json.Obj> events) {
        acknowledge(events);
    }

    private void acknowledge(List<Json.Obj> events) {
        for (Json.Obj event : events) {
            Json.Obj delivery = event.object("delivery");
            String id = event.string("id");
            if (delivery != null && delivery.has("cursor") && id != null) {
                settled(id);
                say(
                        "event.acknowledged",
                        Json.Obj.builder()
                                .put("acknowledged_event_id", id)
                                .put("subscription_id", delivery.string("subscription_id"))
                                .build());
            }
        }
        endBatch();
    }

    @Override
    public void roomAgain() {
        Connection open = connection();
        if (open != null) {
            open.writable();
        }
    }

    @Override
    void detach() {
        boolean first = !isClosed();
        super.detach();
        if (first) {
            link.gone(this);
        }
    }
}
