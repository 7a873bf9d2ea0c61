package dev.harmovela.cli.proof;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** A worker that does one task after the other, and the state of each that the hub had confirmed to it. */
final class Laboured implements AutoCloseable {

    /** Events of a task's life, in order; each one leads to the state of its name. */
    private static final List<String> LIFE =
            List.of("submitted", "accepted", "started", "progress", "output", "completed");

    private static final Duration CALL = Duration.ofSeconds(20);

    private final HarmovelaClient worker;
    private final URI hub;
    private final Map<String, String> confirmed = new ConcurrentHashMap<>();
    private final Map<String, String> faults = new ConcurrentHashMap<>();
    private volatile boolean ending;
    private Thread labour = Thread.currentThread();

    Laboured(URI hub) throws IOException {
        this.hub = hub;
        this.worker =
                HarmovelaClient.connect(hub, ClientOptions.of("agent:labourer").withBackoff(Exchanged.IMPATIENT));
    }

    void begin() {
        labour = Thread.ofVirtual().name("labourer").start(this::work);
    }

    private void work() {
        try {
            for (int i = 1; !ending; i++) {
                for (String step : LIFE) {
                    step("task-" + i, step);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException refused) {
            faults.put("refused", "a task event was refused: " + refused.getCause());
        }
    }

    private void step(String task, String step) throws InterruptedException, ExecutionException {
        Json.Obj event = Json.Obj.builder()
                .put("type", "task." + step)
                .put("id", task + "-" + step)
                .put("task_id", task)
                .put("payload", Json.Obj.builder().put("task_id", task).build())
                .build();
        worker.send(event).get();
        confirmed.put(task, step);
    }

    int count() {
        return confirmed.size();
    }

    /** Lets the task at hand be finished, and takes no other. */
    void end() throws InterruptedException {
        ending = true;
        labour.join();
    }

    /** Tasks that the hub remembers less of than it had confirmed. */
    List<String> forgotten() throws IOException {
        List<String> forgotten = new ArrayList<>(faults.values());
        try (HttpApi api = new HttpApi(hub, null, CALL)) {
            for (Map.Entry<String, String> one : Map.copyOf(confirmed).entrySet()) {
                HttpApi.Reply reply = api.get("tasks/" + one.getKey());
                String state = String.valueOf(reply.object().string("state")).toLowerCase(Locale.ROOT);
                if (LIFE.indexOf(state) < LIFE.indexOf(one.getValue())) {
                    forgotten.add(one.getKey() + " was confirmed as " + one.getValue() + " and is now " + state + " ("
                            + reply.status() + ")");
                }
            }
        }
        return forgotten;
    }

    @Override
    public void close() {
        worker.close();
    }
}
