package dev.harmovela.dimension.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.task.TaskPolicy.OnSessionClosed;
import dev.harmovela.dimension.task.TaskPolicy.Orphans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random people with random words over random trees: what holds for every task holds after every step. */
class TaskStoriesPropertyTest {

    private static final int STEPS = 400;
    private static final int IDS = 16;
    /** Beginnings are said more often than ends, so that trees grow. */
    private static final List<String> WORDS = List.of(
            "submitted",
            "submitted",
            "submitted",
            "submitted",
            "submitted",
            "accepted",
            "accepted",
            "started",
            "started",
            "progress",
            "output",
            "blocked",
            "resumed",
            "completed",
            "failed",
            "cancelled",
            "cancelled",
            "cancel.requested",
            "escalated");

    static LongStream seeds() {
        return LongStream.range(0, 2L * Integer.getInteger("harmovela.seeds", 20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatHoldsForEveryStory(long seed) {
        Random random = new Random(seed);
        Desk desk = new Desk(policy(random));
        desk.enforce = random.nextBoolean();
        Map<String, String> owners = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            step(desk, random);
            check(desk, owners);
        }
        desk.assertFoldsTheSame();
        endEverything(desk);
        desk.assertFoldsTheSame();
    }

    private static TaskPolicy policy(Random random) {
        return TaskPolicy.DEFAULTS
                .withLeaseMs(15_000)
                .withCancelGraceMs(random.nextInt(4) * 2_000L)
                .withOrphans(Orphans.values()[random.nextInt(2)])
                .withOnSessionClosed(OnSessionClosed.values()[random.nextInt(3)])
                .withBounds(new TaskPolicy.Bounds(6, 5, 20))
                .withRetention(new TaskPolicy.Retention(2_000, 6_000, 8));
    }

    private static String agent(Random random) {
        return "agent:" + random.nextInt(4);
    }

    private static void step(Desk desk, Random random) {
        switch (random.nextInt(16)) {
            case 0 -> desk.pass(random.nextInt(3_000));
            case 1 -> desk.attach(agent(random));
            case 2 -> desk.detach(agent(random));
            case 3 -> {
                if (random.nextInt(4) == 0) {
                    desk.leave(agent(random));
                }
            }
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    desk.restart(random.nextBoolean());
                }
            }
            default -> speak(desk, random);
        }
    }

    private static void speak(Desk desk, Random random) {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        String taskId = "t" + random.nextInt(IDS);
        String parent = random.nextInt(5) == 0 ? null : "t" + random.nextInt(IDS);
        String target = random.nextInt(4) == 0 ? agent(random) : null;
        String speaker = random.nextInt(3) > 0 && desk.owner(taskId) != null ? desk.owner(taskId) : agent(random);
        Decision decision = desk.send(word, speaker, taskId, draft -> {
            if (!word.equals("submitted")) {
                return draft;
            }
            Json.Builder payload = Json.Obj.builder().put("task_id", taskId);
            if (random.nextInt(6) == 0) {
                payload.put("timeout_ms", random.nextInt(30_000));
            }
            return draft.parentTaskId(parent).target(target).payload(payload.build());
        });
        if (decision.refusal() != null) {
            assertThat(decision.duplicate()).isFalse();
        }
    }

    private static void check(Desk desk, Map<String, String> owners) {
        Map<String, String> parents = new HashMap<>();
        Map<String, Long> born = new HashMap<>();
        Map<String, Long> ended = new HashMap<>();
        for (Fact fact : desk.facts) {
            switch ((TaskFact) fact) {
                case TaskFact.Submitted one -> {
                    String key = one.taskId();
                    assertThat(born.put(key, one.lsn()))
                            .as("%s exists once at a time", key)
                            .isNull();
                    parents.put(key, one.parentId());
                }
                case TaskFact.Claimed one -> {
                    assertThat(ended).doesNotContainKey(one.taskId());
                    owners.putIfAbsent(one.taskId() + "@" + born.get(one.taskId()), one.owner());
                    assertThat(owners).containsEntry(one.taskId() + "@" + born.get(one.taskId()), one.owner());
                }
                case TaskFact.Moved one -> assertThat(ended).doesNotContainKey(one.taskId());
                case TaskFact.Ended one -> {
                    assertThat(ended.put(one.taskId(), one.lsn()))
                            .as("%s ends once", one.taskId())
                            .isNull();
                    if (one.state() == TaskState.CANCELLED) {
                        assertNothingLivesBelow(one.taskId(), parents, ended);
                    }
                }
                case TaskFact.Forgotten one ->
                    one.taskIds().forEach(id -> {
                        born.remove(id);
                        ended.remove(id);
                        parents.remove(id);
                    });
                case TaskFact.LeaseSet _,
                        TaskFact.CancelBegan _,
                        TaskFact.Noticed _,
                        TaskFact.Confirmed _,
                        TaskFact.Shrunk _,
                        TaskFact.SpaceEnded _,
                        TaskFact.Carried _ -> {}
            }
        }
        long live = born.keySet().stream().filter(id -> !ended.containsKey(id)).count();
        assertThat(desk.tasks.live(Desk.TENANT)).isEqualTo((int) live);
    }

    private static void assertNothingLivesBelow(String root, Map<String, String> parents, Map<String, Long> ended) {
        for (String id : parents.keySet()) {
            Set<String> seen = new HashSet<>();
            String at = parents.get(id);
            while (at != null && seen.add(at) && !at.equals(root)) {
                at = parents.get(at);
            }
            if (root.equals(at)) {
                assertThat(ended).as("%s below cancelled %s", id, root).containsKey(id);
            }
        }
    }

    /** Everything is cancelled, and whatever owners do not confirm is forced: nothing survives, nothing waits. */
    private static void endEverything(Desk desk) {
        desk.enforce = false;
        List<String> live = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
            TaskState state = desk.state("t" + i);
            if (state != null && !state.ended()) {
                live.add("t" + i);
            }
        }
        for (String id : live) {
            Decision decision = desk.send("cancel.requested", "agent:boss", id);
            assertThat(decision.refusal() == null || desk.state(id).ended()).isTrue();
        }
        desk.fire();
        desk.pass(6_000);
        assertThat(desk.tasks.live(Desk.TENANT)).isZero();
        desk.pass(60_000);
        assertThat(desk.tasks.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(desk.tasks.list(Desk.TENANT, TaskFilter.of(Json.Obj.of()), Long.MAX_VALUE, 10))
                .isEmpty();
    }
}
