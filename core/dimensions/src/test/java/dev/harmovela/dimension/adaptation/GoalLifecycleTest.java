package dev.harmovela.dimension.adaptation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.dimension.Bench;
import dev.harmovela.dimension.Decision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every arc of a goal's life is taken, and every other one refused with what would be allowed (§11). */
class GoalLifecycleTest {

    private static final Map<GoalState, List<GoalEvent>> WAYS = Map.of(
            GoalState.ACTIVE, List.of(GoalEvent.CREATED),
            GoalState.BLOCKED, List.of(GoalEvent.CREATED, GoalEvent.BLOCKED),
            GoalState.ACHIEVED, List.of(GoalEvent.CREATED, GoalEvent.ACHIEVED),
            GoalState.ABANDONED, List.of(GoalEvent.CREATED, GoalEvent.ABANDONED));

    private static Decision say(Bench<Adaptation> bench, GoalEvent event) {
        return bench.send(event.toString(), "agent:boss", "{\"goal_id\":\"g\"}", draft -> draft);
    }

    @Test
    void everyArcIsTakenAndEveryOtherOneRefused() {
        for (GoalState from : GoalState.values()) {
            for (GoalEvent event : GoalEvent.values()) {
                Bench<Adaptation> bench = new Bench<>(
                        () -> new Adaptation(EventRegistry.standard()), (kind, in) -> Adaptation.read(kind, 1, in));
                WAYS.get(from)
                        .forEach(step -> assertThat(say(bench, step).refusal()).isNull());
                GoalState to = GoalLifecycle.TABLE.next(from, event);
                Decision decision = say(bench, event);
                if (to == null) {
                    assertThat(decision.refusal()).as(from + " " + event).isNotNull();
                    assertThat(decision.refusal().details().strings("allowed"))
                            .containsExactlyElementsOf(GoalLifecycle.TABLE.allowed(from).stream()
                                    .map(Object::toString)
                                    .toList());
                } else {
                    assertThat(bench.dimension.goals(Bench.TENANT).getFirst().string("state"))
                            .as(from + " " + event)
                            .isEqualTo(to.name());
                }
                bench.check();
            }
        }
    }

    @Test
    void beforeItIsCreatedNothingElseCanBeSaidOfIt() {
        for (GoalEvent event : GoalEvent.values()) {
            Bench<Adaptation> bench = new Bench<>(
                    () -> new Adaptation(EventRegistry.standard()), (kind, in) -> Adaptation.read(kind, 1, in));
            assertThat(say(bench, event).refusal() == null).isEqualTo(event == GoalEvent.CREATED);
        }
    }
}
