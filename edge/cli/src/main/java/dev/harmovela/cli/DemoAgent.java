package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HubRefused;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One agent of a demonstration: what it says appears in the story, what it is sent waits until it is looked for. */
final class DemoAgent implements AutoCloseable {

    private final DemoStage stage;
    private final String identity;
    private final HarmovelaClient client;
    private final BlockingQueue<Json.Obj> heard;

    private DemoAgent(DemoStage stage, String identity, HarmovelaClient client, BlockingQueue<Json.Obj> heard) {
        this.stage = stage;
        this.identity = identity;
        this.client = client;
        this.heard = heard;
    }

    static DemoAgent attach(DemoStage stage, String identity) throws Exception {
        BlockingQueue<Json.Obj> heard = new LinkedBlockingQueue<>();
        HarmovelaClient client = HarmovelaClient.connect(
                stage.hub(), ClientOptions.of(identity), delivery -> heard.put(delivery.event()));
        return new DemoAgent(stage, identity, client, heard);
    }

    String identity() {
        return identity;
    }

    /** Also hears what matches the patterns. */
    DemoAgent listen(String... patterns) throws Exception {
        client.subscribe(
                        Json.Obj.builder().put("types", List.of(patterns)).build(),
                        delivery -> heard.put(delivery.event()))
                .get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return this;
    }

    /** Sends an event that the hub takes; {@code told} is what the story says of it. */
    void say(String type, String told, Json.Builder members) throws Exception {
        Json.Obj event = members.put("type", type).build();
        client.send(event).get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        stage.step(identity, told.isEmpty() ? type : type + ": " + told);
    }

    /** An event about a task, with those members in its payload. */
    static Json.Builder about(String task, Json.Builder payload) {
        return Json.Obj.builder()
                .put("task_id", task)
                .put("payload", payload.put("task_id", task).build());
    }

    /** Sends an event that the hub refuses; returns the code of the refusal. */
    String sayInVain(String type, Json.Builder members) throws Exception {
        try {
            client.send(members.put("type", type).build()).get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            String code = refused.getCause() instanceof HubRefused why
                    ? why.error().wireCode()
                    : String.valueOf(refused.getCause());
            stage.step(identity, type + " is refused: " + code);
            return code;
        }
        return "";
    }

    /** The next event of that type about a task; others that came before it are passed over. */
    Json.Obj expect(String type, String task) throws Exception {
        while (true) {
            Json.Obj event = heard.poll(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (event == null) {
                throw Failure.failed(
                        "demo_failed", "No " + type + " of '" + task + "' reached " + identity + ".", null);
            }
            if (type.equals(event.string("type")) && task.equals(event.string("task_id"))) {
                return event;
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
