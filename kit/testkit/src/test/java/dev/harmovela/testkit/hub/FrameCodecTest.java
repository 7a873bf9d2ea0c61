package dev.harmovela.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.GovernanceFact.Asked;
import dev.harmovela.dimension.governance.GovernanceFact.Denied;
import dev.harmovela.dimension.governance.GovernanceFact.Origin;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What stands in a frame, today and before. */
class FrameCodecTest {

    private static final EventRegistry REGISTRY = EventRegistry.standard();
    private static final Frame.Header HEADER =
            new Frame.Header(7, "acme", "agent:a", "websocket", "publish", "e1", "token:tk_1");

    private final FrameCodec codec = new FrameCodec(REGISTRY);

    private static Event event() {
        return EventDraft.of(REGISTRY.require("task.submitted"), "e1", "agent:a", 5)
                .taskId("t1")
                .correlationId("c1")
                .payload(Json.Obj.builder().put("text", "private").build())
                .build();
    }

    private static final RecoveryFact.Settled SETTLED = new RecoveryFact.Settled(
            "s1", Outcome.ACKNOWLEDGED, new long[] {3, 4, 9, 9}, 100, 9, "agent:b", new long[] {101, 90, 4_000_000});

    private static final Denied DENIED = new Denied(
            6,
            new Origin("acme", "agent:b", "http", "token:tk_2", "agent:c"),
            "unauthorized",
            "forged_source",
            new Asked("publish", "context.updated", "e9", "agent:d", "globex", "c9", "e8", "t9"),
            1);

    @Test
    void whatWasWrittenIsRead() {
        byte[] bytes =
                codec.write(HEADER, List.of(event()), List.of(SETTLED, DENIED)).toByteArray();
        Frame frame = codec.read(5, ByteBuffer.wrap(bytes));
        assertThat(frame.header()).isEqualTo(HEADER);
        assertThat(codec.readHeader(ByteBuffer.wrap(bytes))).isEqualTo(HEADER);
        assertThat(frame.facts().get(0)).usingRecursiveComparison().isEqualTo(SETTLED);
        assertThat(frame.facts().get(1)).isEqualTo(DENIED);
        assertThat(SETTLED.count()).isEqualTo(3);
    }

    @Test
    void aFrameOfTheFirstFormatIsReadWithoutACredential() {
        Out old = new Out();
        old.varint(1)
                .varint(7)
                .string("acme")
                .string("agent:a")
                .string("websocket")
                .string("publish")
                .string("e1");
        Out record = new Out();
        event().writeRecord(record);
        old.varint(1).bytes(record.toByteArray());
        Out settled = new Out();
        settled.string("s1").varint(0).varint(2).varint(3).varint(4).varint(100).varint(9);
        old.varint(1).varint(202).varint(1).bytes(settled.toByteArray());
        Frame frame = codec.read(5, ByteBuffer.wrap(old.toByteArray()));
        assertThat(frame.header()).isEqualTo(new Frame.Header(7, "acme", "agent:a", "websocket", "publish", "e1", ""));
        assertThat(frame.facts().getFirst())
                .usingRecursiveComparison()
                .isEqualTo(new RecoveryFact.Settled("s1", Outcome.ACKNOWLEDGED, new long[] {3, 4}, 100, 9));
        assertThat(codec.readEvents(ByteBuffer.wrap(old.toByteArray())))
                .extracting(Event::id)
                .containsExactly("e1");
    }

    @Test
    void aFailedDeliveryOfTheFirstVersionIsReadWithoutItsPrincipal() {
        RecoveryFact.Failing failing = new RecoveryFact.Failing(
                9, 2, 30, 20, dev.harmovela.contract.ProtocolError.internal(), new Json.Arr(List.of()));
        RecoveryFact.Failed now = new RecoveryFact.Failed("s1", 4, failing, "agent:b");
        byte[] bytes = codec.write(HEADER, List.of(), List.of(now)).toByteArray();
        assertThat(codec.read(5, ByteBuffer.wrap(bytes)).facts().getFirst())
                .usingRecursiveComparison()
                .isEqualTo(now);
        Out body = new Out();
        now.write(body);
        byte[] newer = body.toByteArray();
        Out old = new Out();
        old.varint(1)
                .varint(7)
                .string("")
                .string("")
                .string("")
                .string("")
                .string("")
                .varint(0);
        byte[] older = java.util.Arrays.copyOf(newer, newer.length - 1 - "agent:b".length());
        old.varint(1).varint(203).varint(1).bytes(older);
        assertThat(codec.read(5, ByteBuffer.wrap(old.toByteArray())).facts().getFirst())
                .usingRecursiveComparison()
                .isEqualTo(new RecoveryFact.Failed("s1", 4, failing, ""));
    }

    @Test
    void withoutItsBodiesAFrameSaysTheSameToAnAudit() {
        byte[] bytes =
                codec.write(HEADER, List.of(event()), List.of(SETTLED, DENIED)).toByteArray();
        byte[] kept = codec.withoutBodies(ByteBuffer.wrap(bytes));
        Frame frame = codec.read(5, ByteBuffer.wrap(kept));
        assertThat(new String(kept, java.nio.charset.StandardCharsets.UTF_8)).doesNotContain("private");
        assertThat(frame.header()).isEqualTo(HEADER);
        assertThat(frame.facts()).hasSize(2);
        Event event = frame.events().getFirst();
        assertThat(List.of(event.id(), event.source(), event.taskId(), event.correlationId()))
                .containsExactly("e1", "agent:a", "t1", "c1");
        assertThat(keys(kept)).isEqualTo(keys(bytes));
    }

    private Set<Long> keys(byte[] bytes) {
        Set<Long> keys = new HashSet<>();
        codec.keys(ByteBuffer.wrap(bytes), keys::add);
        assertThat(keys)
                .contains(FrameCodec.key("correlation", "c1"), FrameCodec.key("correlation", "c9"))
                .contains(FrameCodec.key("id", "e1"), FrameCodec.key("task", "t9"));
        return keys;
    }
}
