package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.contract.json.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** ENV-10: an event with an end is not handed over after it, and is counted as expired. */
class ExpiryTest {

    @Test
    void env10WhatExpiredWhileItsReceiverWasAwayIsNotDelivered() throws Exception {
        try (Running hub = Running.inMemory()) {
            Agent receiver = hub.agent("agent:r");
            String sub = receiver.subscribe("{\"types\":[\"context.updated\"]}");
            receiver.cut();
            await().until(() -> Boolean.FALSE.equals(
                    hub.get("subscriptions/" + sub).object().bool("attached")));
            Instant end = Instant.now().plusMillis(200);
            hub.publish("context.updated", "\"expires_at\":\"" + end + "\",\"payload\":{\"n\":1}");
            hub.publish("context.updated", "\"payload\":{\"n\":2}");
            await().until(() -> Instant.now().isAfter(end));

            try (Agent again = Agent.resume(hub.url(), "agent:r", receiver.sessionId())) {
                Json.Obj only = again.delivery();
                assertThat(only.object("payload").integer("n")).isEqualTo(2);
                assertThat(only.object("delivery").integer("sequence"))
                        .as("what was never sent takes no number")
                        .isEqualTo(1);
                again.ack(only);
                assertThat(again.deliveriesSoFar()).isEmpty();
            }
            Json.Obj counts = hub.get("subscriptions/" + sub).object().object("deliveries");
            assertThat(counts.integer("expired")).isEqualTo(1);
            assertThat(counts.integer("acknowledged")).isEqualTo(1);
            assertThat(counts.integer("deadLettered")).isZero();
            assertThat(counts.integer("total")).isEqualTo(2);
            assertThat(hub.list("dlq")).isEmpty();
        }
    }
}
