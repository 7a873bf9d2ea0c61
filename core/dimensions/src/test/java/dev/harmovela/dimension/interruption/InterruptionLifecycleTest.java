package dev.harmovela.dimension.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Bench;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every arc of the machine is taken, and every other one refused with what would be allowed (§9). */
class InterruptionLifecycleTest {

    private static final Map<InterruptionState, List<InterruptionEvent>> WAYS = Map.of(
            InterruptionState.REQUESTED, List.of(InterruptionEvent.REQUESTED),
            InterruptionState.ACKNOWLEDGED, List.of(InterruptionEvent.REQUESTED, InterruptionEvent.ACKNOWLEDGED),
            InterruptionState.SAVED, List.of(InterruptionEvent.REQUESTED, InterruptionEvent.SAVED),
            InterruptionState.RESUMED,
                    List.of(InterruptionEvent.REQUESTED, InterruptionEvent.SAVED, InterruptionEvent.RESUMED),
            InterruptionState.CANCELLED, List.of(InterruptionEvent.REQUESTED, InterruptionEvent.CANCELLED));

    private static Bench<Interruptions> bench() {
        Bench<Interruptions> bench = new Bench<>(
                () -> new Interruptions(EventRegistry.standard()), (kind, in) -> Interruptions.read(kind, 1, in));
        bench.tasks.put("t", new Bench.Task("agent:owner", "agent:boss", null));
        return bench;
    }

    private static Decision say(Bench<Interruptions> bench, InterruptionEvent event) {
        String who = event == InterruptionEvent.ACKNOWLEDGED || event == InterruptionEvent.SAVED
                ? "agent:owner"
                : "agent:boss";
        return bench.send(
                event.toString(),
                who,
                "{\"reason\":\"r\",\"checkpoint\":[1]}",
                draft -> draft.taskId("t")
                        .member("checkpoint_id", event == InterruptionEvent.REQUESTED ? null : Json.of("cp")));
    }

    @Test
    void everyArcIsTakenAndEveryOtherOneRefused() {
        for (InterruptionState from : InterruptionState.values()) {
            for (InterruptionEvent event : InterruptionEvent.values()) {
                Bench<Interruptions> bench = bench();
                WAYS.get(from)
                        .forEach(step -> assertThat(say(bench, step).refusal()).isNull());
                InterruptionState to = InterruptionLifecycle.TABLE.next(from, event);
                Decision decision = say(bench, event);
                boolean begins = event == InterruptionEvent.REQUESTED
                        && from != InterruptionState.REQUESTED
                        && from != InterruptionState.ACKNOWLEDGED;
                boolean again = event == InterruptionEvent.RESUMED && from == InterruptionState.RESUMED;
                boolean lost = event == InterruptionEvent.RESUMED
                        && (from == InterruptionState.REQUESTED
                                || from == InterruptionState.ACKNOWLEDGED
                                || from == InterruptionState.CANCELLED);
                if (again) {
                    assertThat(decision.duplicate()).isTrue();
                } else if (lost) {
                    assertThat(bench.signals).last().isInstanceOf(Signal.EndTask.class);
                } else if (begins || to != null) {
                    InterruptionState expected = begins ? InterruptionState.REQUESTED : to;
                    assertThat(bench.dimension.list(Bench.TENANT).getFirst().string("state"))
                            .as(from + " " + event)
                            .isEqualTo(String.valueOf(expected));
                } else {
                    assertThat(decision.refusal()).as(from + " " + event).isNotNull();
                    assertThat(decision.refusal().details().strings("allowed"))
                            .containsExactlyElementsOf(InterruptionLifecycle.TABLE.allowed(from).stream()
                                    .map(Object::toString)
                                    .toList());
                }
                bench.check();
            }
        }
    }

    @Test
    void theEndOfATaskTakesItsCheckpointAlong() {
        Bench<Interruptions> bench = bench();
        say(bench, InterruptionEvent.REQUESTED);
        bench.tell(new Signal.TaskEnded(Bench.TENANT, "t", "completed", "agent:owner", null));
        assertThat(bench.dimension.list(Bench.TENANT)).isEmpty();
        assertThat(bench.dimension.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        bench.check();
    }
}
