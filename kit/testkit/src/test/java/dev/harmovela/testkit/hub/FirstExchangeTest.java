package dev.harmovela.testkit.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstExchangeTest {

    @Test
    void two_agents_exchange_a_task() {
        TestHub hub = TestHub.inMemory();
        TestWire planner = hub.session("agent:planner");
        TestWire worker = hub.session("agent:worker");
        worker.subscribe("{\"types\":[\"task.submitted\"]}");
        planner.subscribe("{\"types\":[\"task.*\"]}");

        String submitted = planner.send("\"type\":\"task.submitted\",\"source\":\"agent:planner\",\"task_id\":\"t1\","
                + "\"payload\":{\"description\":\"x\"}");

        assertThat(planner.answerTo(submitted).string("type")).isEqualTo("event.acknowledged");
        List<Json.Obj> got = worker.deliveries();
        assertThat(got).hasSize(1);
        assertThat(got.get(0).object("delivery").integer("sequence")).isEqualTo(1);
        worker.ack(got.get(0));
        worker.send("\"type\":\"task.started\",\"source\":\"agent:worker\",\"task_id\":\"t1\"");
        worker.send("\"type\":\"task.completed\",\"source\":\"agent:worker\",\"task_id\":\"t1\","
                + "\"payload\":{\"result\":{\"ok\":true}}");
        assertThat(planner.deliveries().stream().map(d -> d.string("type")).toList())
                .containsExactly("task.submitted", "task.accepted", "task.started", "task.completed");
        assertThat(hub.ask("task", "t1").string("state")).isEqualTo("COMPLETED");
        hub.close();
    }
}
