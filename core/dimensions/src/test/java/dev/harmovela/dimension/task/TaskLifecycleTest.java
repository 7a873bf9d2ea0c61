package dev.harmovela.dimension.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.lifecycle.Lifecycle.Arc;
import dev.harmovela.dimension.Decision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of §5, pair by pair, through decisions and not only in the table. */
class TaskLifecycleTest {

    private static final String OWNER = "agent:w";

    /** Written down from §5 apart from the code: which word leads where. */
    private static final Map<TaskState, Map<String, TaskState>> EXPECTED = Map.of(
            TaskState.SUBMITTED, Map.of("accepted", TaskState.ACCEPTED),
            TaskState.ACCEPTED, Map.of("started", TaskState.STARTED),
            TaskState.STARTED,
                    Map.of(
                            "progress", TaskState.PROGRESS,
                            "output", TaskState.OUTPUT,
                            "blocked", TaskState.BLOCKED,
                            "completed", TaskState.COMPLETED),
            TaskState.BLOCKED,
                    Map.of("started", TaskState.STARTED, "resumed", TaskState.STARTED, "progress", TaskState.PROGRESS),
            TaskState.PROGRESS,
                    Map.of(
                            "progress", TaskState.PROGRESS,
                            "output", TaskState.OUTPUT,
                            "blocked", TaskState.BLOCKED,
                            "completed", TaskState.COMPLETED),
            TaskState.OUTPUT,
                    Map.of(
                            "progress", TaskState.PROGRESS,
                            "output", TaskState.OUTPUT,
                            "blocked", TaskState.BLOCKED,
                            "completed", TaskState.COMPLETED));

    /** Words that bring a task which waits for its target to each state. */
    private static final Map<TaskState, List<String>> WAY = Map.of(
            TaskState.SUBMITTED, List.of(),
            TaskState.ACCEPTED, List.of("accepted"),
            TaskState.STARTED, List.of("accepted", "started"),
            TaskState.BLOCKED, List.of("accepted", "started", "blocked"),
            TaskState.PROGRESS, List.of("accepted", "started", "progress"),
            TaskState.OUTPUT, List.of("accepted", "started", "output"),
            TaskState.COMPLETED, List.of("accepted", "started", "completed"),
            TaskState.FAILED, List.of("failed"),
            TaskState.CANCELLED, List.of("accepted", "cancelled"));

    private static Desk in(TaskState state) {
        Desk desk = Desk.network();
        desk.attach(OWNER);
        Desk.accepted(desk.send(
                "submitted",
                "agent:a",
                "t",
                draft -> draft.target(OWNER)
                        .payload(Json.Obj.builder()
                                .put("task_id", "t")
                                .put("timeout_ms", 1_000)
                                .build())));
        if (state == TaskState.TIMED_OUT) {
            desk.pass(1_000);
        } else {
            WAY.get(state).forEach(word -> Desk.accepted(desk.send(word, OWNER, "t")));
        }
        assertThat(desk.state("t")).isEqualTo(state);
        return desk;
    }

    private static TaskState expected(TaskState from, TaskEvent event) {
        if (from.ended()) {
            return null;
        }
        return switch (event) {
            case FAILED -> TaskState.FAILED;
            case CANCELLED -> TaskState.CANCELLED;
            case TIMED_OUT -> TaskState.TIMED_OUT;
            case ESCALATED, CANCEL_REQUESTED -> from;
            case SUBMITTED, ACCEPTED, STARTED, BLOCKED, RESUMED, PROGRESS, OUTPUT, COMPLETED ->
                EXPECTED.get(from).get(event.type().substring("task.".length()));
        };
    }

    static Stream<Arguments> pairs() {
        return Stream.of(TaskState.values())
                .flatMap(state -> Stream.of(TaskEvent.values()).map(event -> Arguments.of(state, event)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void tableSaysWhatTheProtocolSays(TaskState from, TaskEvent event) {
        assertThat(TaskLifecycle.TABLE.next(from, event)).isEqualTo(expected(from, event));
    }

    /** All but the submission, which names a new task, and the two kindnesses of D4, which have tests of their own. */
    static Stream<Arguments> pairsOutsideTheTable() {
        return pairs().filter(pair -> {
            TaskState from = (TaskState) pair.get()[0];
            TaskEvent event = (TaskEvent) pair.get()[1];
            boolean implied = from == TaskState.SUBMITTED && event == TaskEvent.STARTED;
            boolean again = event == TaskEvent.ACCEPTED && !from.ended() && from != TaskState.SUBMITTED;
            return expected(from, event) == null && event != TaskEvent.SUBMITTED && !implied && !again;
        });
    }

    @ParameterizedTest
    @MethodSource("pairsOutsideTheTable")
    void everyPairOutsideTheTableIsRefusedAndMovesNothing(TaskState from, TaskEvent event) {
        Desk desk = in(from);
        byte[] before = desk.snapshot();
        ProtocolError error = desk.refused(event.type().substring("task.".length()), OWNER, "t");
        if (event == TaskEvent.TIMED_OUT) {
            assertThat(error.code()).isEqualTo(ErrorCode.UNAUTHORIZED);
        } else {
            assertThat(error.code()).isEqualTo(ErrorCode.TASK_ERROR);
            assertThat(error.details().string("from")).isEqualTo(from.name());
            assertThat(error.details().string("event")).isEqualTo(event.type());
            assertThat(error.details().strings("allowed"))
                    .containsExactlyElementsOf(TaskLifecycle.TABLE.allowed(from).stream()
                            .filter(one -> one != TaskEvent.TIMED_OUT)
                            .map(TaskEvent::type)
                            .toList());
        }
        assertThat(desk.snapshot()).isEqualTo(before);
    }

    @Test
    void everyArcIsTaken() {
        Set<Arc<TaskState, TaskEvent>> taken = new HashSet<>();
        taken.add(new Arc<>(null, TaskEvent.SUBMITTED, TaskState.SUBMITTED));
        for (Arc<TaskState, TaskEvent> arc : TaskLifecycle.TABLE.arcs()) {
            if (arc.from() == null) {
                continue;
            }
            Desk desk = in(arc.from());
            if (arc.event() == TaskEvent.TIMED_OUT) {
                desk.pass(1_000);
            } else {
                String who = arc.event() == TaskEvent.CANCEL_REQUESTED ? "agent:a" : OWNER;
                Decision decision = desk.send(arc.event().type().substring("task.".length()), who, "t");
                Desk.accepted(decision);
                boolean unowned = arc.event() == TaskEvent.CANCEL_REQUESTED && desk.owner("t") == null;
                if (unowned) {
                    assertThat(desk.story("t")).endsWith("cancel.requested", "cancelled");
                    taken.add(arc);
                    continue;
                }
            }
            assertThat(desk.state("t")).as("%s", arc).isEqualTo(arc.to());
            taken.add(arc);
            desk.assertFoldsTheSame();
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(TaskLifecycle.TABLE.arcs());
    }

    @Test
    void targetThatStartsHasAccepted() {
        Desk desk = in(TaskState.SUBMITTED);
        Decision decision = Desk.accepted(desk.send("started", OWNER, "t"));
        assertThat(decision.before()).singleElement().satisfies(said -> {
            assertThat(said.type().name()).isEqualTo("task.accepted");
            assertThat(said.source()).isEqualTo("harness:harmovela");
        });
        assertThat(desk.story("t")).containsExactly("submitted", "accepted", "started");
        assertThat(desk.owner("t")).isEqualTo(OWNER);
    }

    @Test
    void diagramShowsEveryArc() {
        List<String> lines =
                new ArrayList<>(TaskLifecycle.TABLE.mermaid().lines().toList());
        assertThat(lines.removeFirst()).isEqualTo("stateDiagram-v2");
        assertThat(lines).hasSize(TaskLifecycle.TABLE.arcs().size() + 4);
        assertThat(lines)
                .contains(
                        "    [*] --> SUBMITTED : task.submitted",
                        "    BLOCKED --> STARTED : task.resumed",
                        "    TIMED_OUT --> [*]");
    }
}
