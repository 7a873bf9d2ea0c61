package dev.harmovela.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import org.junit.jupiter.api.Test;

/**
 * Short stories, told once for every call to the disk in them, with the power failing at that call (RST-01,
 * RST-02).
 */
class CrashStoriesTest {

    private static final Json.Obj NOTHING = Json.Obj.of();

    private static void survives(Stage.Story story) {
        assertThat(Stage.crashEverywhere(story)).as("steps of the disk").isGreaterThan(8);
    }

    @Test
    void what_was_acknowledged_is_delivered_after_a_crash_anywhere() {
        survives(stage -> {
            stage.subscribe(stage.agent(1), "{\"types\":[\"context.*\"]}");
            stage.publish(stage.agent(0), "context.updated", null, null, NOTHING);
            stage.publish(stage.agent(0), "context.updated", null, null, NOTHING);
            stage.settle(stage.agent(1), true);
        });
    }

    @Test
    void a_task_goes_through_its_life_once_after_a_crash_anywhere() {
        survives(stage -> {
            Agent planner = stage.agent(0);
            Agent worker = stage.agent(1);
            stage.subscribe(planner, "{\"types\":[\"task.*\"]}");
            stage.publish(planner, "task.submitted", worker.identity, "t1", NOTHING);
            stage.publish(worker, "task.accepted", null, "t1", NOTHING);
            stage.publish(worker, "task.started", null, "t1", NOTHING);
            stage.publish(worker, "task.completed", null, "t1", NOTHING);
            stage.settle(planner, true);
        });
    }

    @Test
    void a_cancelled_task_ends_once_after_a_crash_anywhere() {
        survives(stage -> {
            Agent planner = stage.agent(0);
            Agent worker = stage.agent(1);
            stage.publish(planner, "task.submitted", worker.identity, "t1", NOTHING);
            stage.publish(worker, "task.started", null, "t1", NOTHING);
            stage.publish(planner, "task.cancel.requested", null, "t1", NOTHING);
            stage.pass(40_000);
            stage.subscribe(planner, "{\"types\":[\"task.*\"],\"from_cursor\":\"earliest\"}");
        });
    }

    @Test
    void a_refused_delivery_becomes_one_dead_letter_after_a_crash_anywhere() {
        survives(stage -> {
            stage.subscribe(stage.agent(0), "{\"types\":[\"event.dead_lettered\"]}");
            stage.subscribe(stage.agent(1), "{\"types\":[\"memory.updated\"]}");
            stage.publish(stage.agent(0), "memory.updated", null, null, NOTHING);
            stage.settle(stage.agent(1), false);
            stage.settle(stage.agent(0), true);
        });
    }

    @Test
    void a_consumer_that_comes_back_misses_nothing_after_a_crash_anywhere() {
        survives(stage -> {
            Agent consumer = stage.agent(1);
            stage.subscribe(consumer, "{\"types\":[\"agent.*\"],\"max_in_flight\":2}");
            stage.publish(stage.agent(0), "agent.message.sent", null, null, NOTHING);
            stage.world.guarded(() -> stage.world.machine.probe().takeSnapshot());
            AgentWire wire = stage.present(consumer);
            stage.world.guarded(wire::cut);
            stage.publish(stage.agent(0), "agent.message.sent", consumer.identity, null, NOTHING);
            stage.publish(stage.agent(0), "agent.message.sent", null, null, NOTHING);
            stage.settle(consumer, true);
        });
    }
}
