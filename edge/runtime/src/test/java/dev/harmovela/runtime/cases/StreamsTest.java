package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.SseStream;
import dev.harmovela.contract.json.Json;
import dev.harmovela.transport.http.HttpTimes;
import org.junit.jupiter.api.Test;

/** STR-05: an idle stream shows signs of life before any proxy takes it for dead. */
class StreamsTest {

    @Test
    void str05AnIdleStreamCarriesCommentsAndAnEventIsNotHeldBack() throws Exception {
        try (Running hub = Running.inMemory("http.stream_heartbeat_ms", "50")) {
            String session = hub.openByPost("agent:a");
            hub.say(
                    session,
                    Events.of("subscription.requested", "agent:a", "\"payload\":{\"types\":[\"context.*\"]}")
                            .toString());
            try (SseStream stream = hub.stream(session)) {
                assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
                assertThat(stream.headers().firstValue("Cache-Control").orElse(""))
                        .contains("no-cache");
                assertThat(stream.headers().firstValue("X-Accel-Buffering")).hasValue("no");
                int comments = 0;
                while (comments < 3) {
                    comments += stream.next() instanceof SseStream.Item.Comment comment
                                    && comment.text().equals("heartbeat")
                            ? 1
                            : 0;
                }
                String id = hub.publish("context.updated", "");
                assertThat(stream.nextEvent().id()).isEqualTo(id);
            }
        }
    }

    @Test
    void str05TheSameHoldsForTheStreamOfASubscription() throws Exception {
        try (Running hub = Running.inMemory("http.stream_heartbeat_ms", "50")) {
            Json.Obj made =
                    hub.post("subscriptions", "{\"types\":[\"context.*\"]}").object();
            String path = "/harmovela/api/subscriptions/" + made.string("subscription_id") + "/stream";
            try (SseStream stream = SseStream.open(hub.url(), path, null, null, Running.PATIENCE)) {
                assertThat(stream.headers().firstValue("X-Accel-Buffering")).hasValue("no");
                SseStream.Item item = stream.next();
                while (!(item instanceof SseStream.Item.Comment)) {
                    item = stream.next();
                }
                String id = hub.publish("context.updated", "");
                assertThat(stream.nextEvent().id()).isEqualTo(id);
            }
        }
    }

    @Test
    void str05NoConfigurationMakesAStreamSilentForMoreThan15Seconds() {
        assertThat(HttpTimes.DEFAULT.streamHeartbeatMillis()).isLessThanOrEqualTo(15_000);
        assertThat(HttpTimes.LONGEST_HEARTBEAT).isEqualTo(15_000);
    }
}
