package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Scenario 2 (§16): a reader of memory and context is cut off, comes back to its session and misses nothing. */
final class DemoMemory {

    private static final String READER = "agent:assistant";
    private static final String MEMORY = "memory:notes";
    private static final String CONTEXT = "context:calendar";

    private final DemoStage stage;
    private final List<String> published = new ArrayList<>();
    private final Set<String> received = new LinkedHashSet<>();
    private long sequence;
    private @Nullable String cursor;

    DemoMemory(DemoStage stage) {
        this.stage = stage;
    }

    Json.Obj play() throws Exception {
        stage.begin(2, "a reader is cut off, comes back and misses nothing");
        try (HarmovelaClient memory = HarmovelaClient.connect(stage.hub(), ClientOptions.of(MEMORY));
                HarmovelaClient context = HarmovelaClient.connect(stage.hub(), ClientOptions.of(CONTEXT))) {
            DemoReader reader = DemoReader.open(stage.hub(), READER, null);
            String session = reader.sessionId();
            reader.subscribe(List.of("memory.*", "context.*"));
            stage.step(READER, "subscribes to memory.* and context.*");
            remember(memory, "the customer prefers mail");
            change(context, "the meeting moved to Tuesday");
            take(reader, 2);
            reader.cut();
            stage.step(READER, "loses its connection");
            remember(memory, "the customer moved to Lisbon");
            change(context, "the meeting room has changed");
            remember(memory, "the invoice was paid");
            reader = DemoReader.open(stage.hub(), READER, session);
            stage.step(READER, "is back in its session, after cursor " + cursor);
            take(reader, 3);
            stage.prove(
                    received.equals(new LinkedHashSet<>(published)),
                    "all " + published.size() + " events arrived, in order, without a gap in their sequence");
            reader.close();
        }
        return stage.end(2, cursor);
    }

    private void remember(HarmovelaClient memory, String fact) throws Exception {
        Json.Obj payload = Json.Obj.builder()
                .put("fact_id", "fact-" + (published.size() + 1))
                .put("value", fact)
                .build();
        publish(memory, MEMORY, "memory.fact.added", payload, fact);
    }

    private void change(HarmovelaClient context, String news) throws Exception {
        publish(
                context,
                CONTEXT,
                "context.updated",
                Json.Obj.builder().put("value", news).build(),
                news);
    }

    private void publish(HarmovelaClient from, String who, String type, Json.Obj payload, String told)
            throws Exception {
        String id = "demo-" + (published.size() + 1);
        Json.Obj event = Json.Obj.builder()
                .put("type", type)
                .put("id", id)
                .put("payload", payload)
                .build();
        from.send(event).get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        published.add(id);
        stage.step(who, type + ": " + told);
    }

    /** Takes and acknowledges so many new deliveries; one that was seen before a cut may come again. */
    private void take(DemoReader reader, int count) throws Exception {
        int fresh = 0;
        while (fresh < count) {
            Json.Obj event = reader.nextDelivery();
            Json.Obj block = event.object("delivery");
            String id = String.valueOf(event.string("id"));
            if (received.add(id)) {
                fresh++;
                Long number = block == null ? null : block.integer("sequence");
                stage.prove(number != null && number == sequence + 1, id + " has sequence " + (sequence + 1));
                sequence++;
                cursor = block == null ? null : block.string("cursor");
            }
            reader.acknowledge(event);
        }
        reader.fence();
    }
}
