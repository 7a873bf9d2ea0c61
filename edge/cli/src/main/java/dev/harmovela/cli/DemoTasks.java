package dev.harmovela.cli;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Scenario 1 (§16): a planner's task is accepted, reported on and completed; a second one is cancelled midway. */
final class DemoTasks {

    private static final String PLANNER = "agent:planner";
    private static final String WORKER = "agent:worker";
    private static final String FIRST = "report";
    private static final String SECOND = "survey";

    private final DemoStage stage;
    private final BlockingQueue<Json.Obj> seen = new LinkedBlockingQueue<>();

    DemoTasks(DemoStage stage) {
        this.stage = stage;
    }

    Json.Obj play() throws Exception {
        stage.begin(1, "a task is worked on to its end, another is cancelled midway");
        BlockingQueue<Delivery> orders = new LinkedBlockingQueue<>();
        try (HarmovelaClient planner = HarmovelaClient.connect(stage.hub(), ClientOptions.of(PLANNER));
                HarmovelaClient worker = HarmovelaClient.connect(stage.hub(), ClientOptions.of(WORKER), delivery -> {
                    delivery.defer();
                    orders.put(delivery);
                })) {
            planner.subscribe(
                            Json.Obj.builder().put("types", List.of("task.*")).build(),
                            delivery -> seen.put(delivery.event()))
                    .get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Thread labour = Thread.ofVirtual().name("demo-worker").start(() -> work(worker, orders));
            submit(planner, FIRST, "Summarise the quarterly report");
            follow(FIRST, "task.completed");
            prove(FIRST, "COMPLETED");
            submit(planner, SECOND, "Ask a thousand people a question");
            follow(SECOND, "task.progress");
            stage.step(PLANNER, "has changed its mind: task.cancel.requested");
            send(planner, "task.cancel.requested", SECOND, Json.Obj.builder().put("reason", "no longer needed"));
            follow(SECOND, "task.cancelled");
            prove(SECOND, "CANCELLED");
            labour.interrupt();
        }
        return stage.end(1, null);
    }

    /** The worker: one order after the other. */
    private void work(HarmovelaClient worker, BlockingQueue<Delivery> orders) {
        try {
            while (true) {
                Delivery order = orders.take();
                String task = order.event().string("task_id");
                if (order.type().equals("task.submitted") && task != null) {
                    begin(worker, task);
                    if (task.equals(FIRST)) {
                        Json.Obj result = Json.Obj.builder().put("pages", 3L).build();
                        send(worker, "task.output", task, Json.Obj.builder().put("message", "a first draft"));
                        send(worker, "task.completed", task, Json.Obj.builder().put("result", result));
                    }
                } else if (order.type().equals("task.cancel.requested") && task != null) {
                    send(worker, "task.cancelled", task, Json.Obj.builder().put("reason", "asked to stop"));
                }
                order.ack();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException refused) {
            stage.step(WORKER, "gave up: " + refused);
        }
    }

    private static void begin(HarmovelaClient worker, String task)
            throws ExecutionException, InterruptedException, TimeoutException {
        send(worker, "task.accepted", task, Json.Obj.builder());
        send(worker, "task.started", task, Json.Obj.builder());
        Json.Num half = new Json.Num("0.5");
        send(
                worker,
                "task.progress",
                task,
                Json.Obj.builder().put("progress", half).put("message", "halfway"));
    }

    private void submit(HarmovelaClient planner, String task, String description) throws Exception {
        stage.step(PLANNER, "submits the task '" + task + "' to " + WORKER + ": " + description);
        Json.Obj event = Json.Obj.builder()
                .put("type", "task.submitted")
                .put("task_id", task)
                .put("target", WORKER)
                .put(
                        "payload",
                        Json.Obj.builder()
                                .put("task_id", task)
                                .put("description", description)
                                .build())
                .build();
        planner.send(event).get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static void send(HarmovelaClient from, String type, String task, Json.Builder payload)
            throws ExecutionException, InterruptedException, TimeoutException {
        Json.Obj event = Json.Obj.builder()
                .put("type", type)
                .put("task_id", task)
                .put("payload", payload.put("task_id", task).build())
                .build();
        from.send(event).get(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Tells what the planner sees of a task, up to an event of that type. */
    private void follow(String task, String last) throws InterruptedException, Failure {
        while (true) {
            Json.Obj event = seen.poll(DemoStage.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (event == null) {
                throw Failure.failed("demo_failed", "No " + last + " of '" + task + "' came in time.", null);
            }
            if (!task.equals(event.string("task_id"))) {
                continue;
            }
            String type = event.string("type");
            if (!PLANNER.equals(event.string("source"))) {
                Json.Obj payload = event.object("payload");
                stage.step(String.valueOf(event.string("source")), type + details(payload));
            }
            if (last.equals(type)) {
                return;
            }
        }
    }

    private static String details(Json.@Nullable Obj payload) {
        if (payload == null) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (String name : List.of("progress", "message", "result", "reason")) {
            text.append(payload.has(name) ? ", " + name + " " + Table.text(payload, name) : "");
        }
        return text.toString();
    }

    private void prove(String task, String state) throws Exception {
        stage.prove(state.equals(stage.task(task).string("state")), "the hub says that '" + task + "' is " + state);
    }
}
