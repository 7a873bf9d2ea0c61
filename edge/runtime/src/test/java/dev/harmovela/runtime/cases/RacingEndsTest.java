package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** TSK-02 over two connections at once: of two ends of a task one wins, everybody sees that one and no other. */
class RacingEndsTest {

    private static final int TASKS = 1_000;
    private static final int AT_ONCE = 100;

    @Test
    void tsk02TwoConnectionsEndAThousandTasksAtTheSameMoment() throws Exception {
        try (Running hub = Running.inMemory();
                Agent watcher = hub.agent("agent:w");
                Agent finishes = hub.agent("agent:b");
                Agent cancels = hub.agent("agent:b")) {
            watcher.subscribe("{\"types\":[\"task.completed\",\"task.cancelled\"],\"max_in_flight\":10000}");
            Map<String, String> ends = new HashMap<>();
            for (int from = 0; from < TASKS; from += AT_ONCE) {
                List<String> tasks = begin(finishes, from);
                CountDownLatch start = new CountDownLatch(1);
                Thread other = Thread.ofVirtual().start(() -> end(start, cancels, "task.cancelled", tasks));
                start.countDown();
                end(start, finishes, "task.completed", tasks);
                other.join();
                finishes.fence();
                cancels.fence();
                for (Json.Obj delivery : watcher.deliveries(tasks.size())) {
                    assertThat(ends.put(delivery.string("task_id"), String.valueOf(delivery.string("type"))))
                            .as("the only end of " + delivery.string("task_id"))
                            .isNull();
                    watcher.ack(delivery);
                }
                for (String task : tasks) {
                    String won = ends.get(task).equals("task.completed") ? "COMPLETED" : "CANCELLED";
                    assertThat(hub.get("tasks/" + task).object().string("state"))
                            .isEqualTo(won);
                }
            }
            assertThat(ends).hasSize(TASKS);
            assertThat(watcher.deliveriesSoFar()).isEmpty();
        }
    }

    private static List<String> begin(Agent agent, int from) throws Exception {
        List<String> tasks = new ArrayList<>();
        for (int i = from; i < from + AT_ONCE; i++) {
            tasks.add("t" + i);
            agent.send("task.submitted", "\"task_id\":\"t" + i + "\"");
            agent.send("task.started", "\"task_id\":\"t" + i + "\"");
        }
        agent.fence();
        return tasks;
    }

    private static void end(CountDownLatch start, Agent agent, String type, List<String> tasks) {
        try {
            start.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return;
        }
        tasks.forEach(task -> agent.send(type, "\"task_id\":\"" + task + "\""));
    }
}
