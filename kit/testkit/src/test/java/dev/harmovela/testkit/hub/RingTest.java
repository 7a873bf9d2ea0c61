package dev.harmovela.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.harness.frame.Ring;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The newest events in memory: all of them until they are durable, then as many as fit. */
class RingTest {

    private static final long BYTES = 64 << 10;
    private static final EventRegistry REGISTRY = EventRegistry.standard();

    private final FrameCodec codec = new FrameCodec(REGISTRY);
    private final Ring ring = new Ring(REGISTRY, BYTES);
    private long last;

    RingTest() {
        ring.restart(1);
    }

    @Test
    void whatIsNotDurableStays() {
        add(1000);

        ring.trim(0);

        assertThat(ring.first()).isEqualTo(1);
        assertThat(ring.last()).isEqualTo(1000);
        for (long lsn = 1; lsn <= 1000; lsn++) {
            assertThat(Objects.requireNonNull(ring.at(lsn)).id()).isEqualTo("e" + lsn);
            assertThat(ring.tenantAt(lsn)).isEqualTo("default");
        }
    }

    @Test
    void whatIsDurableGoesFromTheOldEndUntilTheRestFits() {
        add(1000);

        ring.trim(1000);

        assertThat(ring.first()).isGreaterThan(1);
        assertThat(ring.holds(ring.first() - 1)).isFalse();
        long held = 0;
        for (long lsn = ring.first(); lsn <= 1000; lsn++) {
            Event event = Objects.requireNonNull(ring.at(lsn));
            assertThat(event.id()).isEqualTo("e" + lsn);
            held += event.bytes().length;
        }
        assertThat(held).isBetween(BYTES / 2, BYTES);
    }

    @Test
    void nothingBehindTheDurablePositionGoes() {
        add(1000);

        ring.trim(300);

        assertThat(ring.first()).isBetween(2L, 301L);
        assertThat(Objects.requireNonNull(ring.at(301)).id()).isEqualTo("e301");
    }

    @Test
    void anOldEventComesBackByteForByte() {
        Event first = event(1);
        add(1000);

        assertThat(Objects.requireNonNull(ring.at(1)).bytes()).isEqualTo(first.bytes());
        assertThat(Objects.requireNonNull(ring.at(1)).type()).isSameAs(first.type());
    }

    @Test
    void positionsWithoutAnEventAreBoundedToo() {
        for (int i = 0; i < 100_000; i++) {
            last++;
            ring.addNone("default");
            ring.trim(last);
        }

        assertThat(ring.last() - ring.first()).isLessThan(10_000);
        assertThat(ring.at(ring.last())).isNull();
    }

    @Test
    void goesOnBehindAGivenPositionWhenStartedAgain() {
        add(10);

        ring.restart(500);

        assertThat(ring.holds(10)).isFalse();
        assertThat(ring.last()).isEqualTo(499);
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            Event event = event(++last);
            Frame.Header header = new Frame.Header(1, "default", "agent:a", "test", "", event.id(), "");
            Out frame = codec.write(header, List.of(event), List.of());
            ring.add(event, "default", frame.array(), codec.recordOffset(0), codec.recordLength(0));
        }
    }

    private static Event event(long number) {
        return EventDraft.of(REGISTRY.require("context.updated"), "e" + number, "agent:a", 1)
                .payload(Json.Obj.builder().put("context_id", "c".repeat(100)).build())
                .build();
    }
}
