package dev.harmovela.dimension.compensation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Bench;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every arc of the machine is taken, and every other one refused (§9). */
class CompensationLifecycleTest {

    private static final Map<CompensationState, List<CompensationEvent>> WAYS = Map.of(
            CompensationState.REGISTERED, List.of(CompensationEvent.REGISTERED),
            CompensationState.REQUESTED, List.of(CompensationEvent.REGISTERED, CompensationEvent.REQUESTED),
            CompensationState.COMPLETED,
                    List.of(CompensationEvent.REGISTERED, CompensationEvent.REQUESTED, CompensationEvent.COMPLETED),
            CompensationState.FAILED,
                    List.of(CompensationEvent.REGISTERED, CompensationEvent.REQUESTED, CompensationEvent.FAILED));

    private static Bench<Compensations> bench() {
        Bench<Compensations> bench = new Bench<>(
                () -> new Compensations(EventRegistry.standard()), (kind, in) -> Compensations.read(kind, 1, in));
        bench.tasks.put("t", new Bench.Task("agent:owner", "agent:boss", "root"));
        return bench;
    }

    private static boolean say(Bench<Compensations> bench, CompensationEvent event) {
        if (event == CompensationEvent.REGISTERED) {
            bench.tell(new Signal.Happened(
                    Bench.TENANT,
                    bench.event(
                            "task.completed",
                            "agent:owner",
                            "{\"compensation\":{\"undo\":1}}",
                            draft -> draft.taskId("t").member("compensation_id", Json.of("c"))),
                    7));
            return true;
        }
        Decision decision = bench.send(
                event.toString(),
                "agent:owner",
                "{\"reason\":\"r\"}",
                draft -> draft.taskId("t").member("compensation_id", Json.of("c")));
        return decision.refusal() == null;
    }

    @Test
    void everyArcIsTakenAndEveryOtherOneRefused() {
        for (CompensationState from : CompensationState.values()) {
            for (CompensationEvent event : CompensationEvent.values()) {
                Bench<Compensations> bench = bench();
                WAYS.get(from).forEach(step -> assertThat(say(bench, step)).isTrue());
                CompensationState to = CompensationLifecycle.TABLE.next(from, event);
                boolean taken = say(bench, event);
                if (event != CompensationEvent.REGISTERED) {
                    assertThat(taken).as(from + " " + event).isEqualTo(to != null);
                }
                assertThat(bench.dimension.list(Bench.TENANT).getFirst().string("state"))
                        .as(from + " " + event)
                        .isEqualTo(String.valueOf(to == null ? from : to));
                bench.check();
            }
        }
    }

    @Test
    void theTaskThatUndoesItEndsIt() {
        Bench<Compensations> bench = bench();
        say(bench, CompensationEvent.REGISTERED);
        bench.tell(new Signal.TaskEnded(Bench.TENANT, "root", "cancelled", null, null));
        assertThat(bench.signals).last().isInstanceOf(Signal.SubmitTask.class);
        bench.tell(new Signal.TaskEnded(Bench.TENANT, "undo_c", "timed_out", "agent:owner", null));
        assertThat(bench.events).last().extracting(e -> e.type().name()).isEqualTo("compensation.failed");
        bench.tell(new Signal.TaskEnded(Bench.TENANT, "undo_c", "completed", "agent:owner", null));
        assertThat(bench.events).hasSize(2);
        bench.check();
    }
}
