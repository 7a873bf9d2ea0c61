package dev.harmovela.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A wire that may not send more is told when it may again, whichever of its two bounds it met. */
class CreditTest {

    private final TestHub hub = TestHub.inMemory();
    private final TestWire wire = hub.session("agent:a");
    private final AtomicInteger told = new AtomicInteger();

    CreditTest() {
        wire.connection().onWantsInput(told::incrementAndGet);
    }

    @Test
    void manyBytesUnanswered() {
        int sent = feedUntilFull("x".repeat(40_000));
        assertThat(sent).isBetween(6, 8);

        wire.end();

        assertThat(told).hasValue(1);
        assertThat(wire.connection().wantsInput()).isTrue();
        assertThat(wire.received()).hasSize(sent);
    }

    @Test
    void manyEventsUnanswered() {
        int sent = feedUntilFull("");
        assertThat(sent).isEqualTo(1024);

        wire.end();

        assertThat(told).hasValue(1);
        assertThat(wire.connection().wantsInput()).isTrue();
    }

    @Test
    void nobodyIsToldWhoWasNotStopped() {
        wire.feed(event(1, "")).feed(event(2, "")).end();

        assertThat(told).hasValue(0);
    }

    private int feedUntilFull(String text) {
        int sent = 0;
        while (wire.connection().wantsInput()) {
            sent++;
            wire.feed(event(sent, text));
        }
        assertThat(told).hasValue(0);
        return sent;
    }

    private static String event(int number, String text) {
        return "{\"spec_version\":\"0.2\",\"id\":\"e" + number
                + "\",\"type\":\"context.updated\",\"source\":\"agent:a\","
                + "\"created_at\":\"2026-07-10T10:00:00Z\",\"payload\":{\"context_id\":\"c\",\"text\":\"" + text
                + "\"}}";
    }
}
