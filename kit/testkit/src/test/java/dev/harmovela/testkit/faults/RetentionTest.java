package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.harness.StateProbe;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the log lets go of, and what it must not (core rule: retention; TSK-07, D31). */
@Tag("faults")
class RetentionTest {

    private static final int SEGMENT = 16 << 10;
    private static final long LONG = 30L * 24 * 3_600_000;
    private static final String BODY = "the whole text of the assignment";

    private static final HubConfig CONFIG =
            Wires.config(4 << 10, new HubConfig.Retention(60, 1L << 40, LONG), TaskPolicy.DEFAULTS);

    private static TestHub start(SimDisk disk, long now) {
        SplittableRandom salts = new SplittableRandom(now);
        JournalOptions options =
                JournalOptions.DEFAULT.withSegmentBytes(SEGMENT).withRandom(salts::nextLong);
        return TestHub.on(
                CONFIG,
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener),
                now);
    }

    private static void submit(TestWire planner, String task, String target) {
        String id = planner.send("\"type\":\"task.submitted\",\"source\":\"agent:p\",\"task_id\":\"" + task
                + "\",\"id\":\"submit_" + task + "\"" + target + ",\"payload\":{\"task_id\":\"" + task
                + "\",\"timeout_ms\":" + LONG + ",\"description\":\"" + BODY + "\"}");
        assertThat(planner.refusal(id)).isNull();
    }

    private static void chatter(TestHub hub, TestWire wire, int from, int to) {
        for (int n = from; n <= to; n++) {
            wire.send("\"type\":\"context.updated\",\"source\":\"agent:p\",\"id\":\"n" + n
                    + "\",\"payload\":{\"n\":1,\"text\":\"" + "x".repeat(500) + "\"}");
        }
        wire.clear();
        hub.advance(20);
    }

    /** Two snapshots: the log since the older one stays. */
    private static void trim(TestHub hub) {
        for (int i = 0; i < 3; i++) {
            new StateProbe(hub.hub()).takeSnapshot();
            hub.drain();
            hub.advance(2_000);
        }
    }

    private static long earliest(TestHub hub) {
        String cursor = Objects.requireNonNull(hub.ask("status", null).string("earliest_cursor"));
        return Objects.requireNonNull(Cursor.parse(cursor)).lsn() + 1;
    }

    private static List<Json.Obj> history(TestHub hub, String member, String value) {
        Json.Obj filter = Json.Obj.builder().put(member, value).build();
        Answer answer = hub.answer(new Ask("history", null, filter, 100, null));
        List<Json.Obj> rows = new ArrayList<>();
        ((Answer.Found) answer).body().array("items").items().forEach(row -> rows.add((Json.Obj) row));
        return rows;
    }

    private static void assertShown(TestHub hub, String task) {
        assertThat(hub.ask("task", task).bool("terminal")).isFalse();
        Json.Obj first = history(hub, "task_id", task).getFirst();
        assertThat(first.string("record")).isEqualTo("published");
        assertThat(first.object("event").string("type")).isEqualTo("task.submitted");
        assertThat(first.object("event").object("payload").string("description"))
                .isEqualTo(BODY);
        assertThat(history(hub, "event_id", "submit_" + task)).hasSize(1);
    }

    /** A ready session that keeps what comes with its beginning. */
    private static TestWire arrived(TestHub hub, String identity) {
        TestWire wire = hub.wire();
        wire.raw("{\"type\":\"session.open\",\"source\":\"" + identity + "\",\"capabilities\":{}}");
        String session = wire.last("session.opened").string("session_id");
        return wire.raw("{\"type\":\"session.ready\",\"session_id\":\"" + session + "\"}");
    }

    private static List<Json.Obj> assigned(TestHub hub, String identity) {
        TestWire worker = arrived(hub, identity);
        hub.advance(50);
        return worker.deliveries("task.submitted");
    }

    /** One task that waits for an absent target, one that a worker began, one that nobody was named for. */
    private static TestHub withLiveTasks(SimDisk disk) {
        TestHub hub = start(disk, TestHub.START);
        TestWire planner = hub.session("agent:p");
        submit(planner, "waits", ",\"target\":\"agent:w\"");
        submit(planner, "runs", ",\"target\":\"agent:v\"");
        submit(planner, "open", "");
        TestWire busy = hub.session("agent:v");
        busy.send("\"type\":\"task.started\",\"source\":\"agent:v\",\"task_id\":\"runs\","
                + "\"payload\":{\"task_id\":\"runs\"}");
        chatter(hub, planner, 1, 150);
        return hub;
    }

    @Test
    void a_live_task_keeps_its_body_when_the_log_lets_go_of_where_it_was() {
        TestHub hub = withLiveTasks(new SimDisk(7));
        long submitted = hub.ask("task", "open").integer("submitted_lsn");
        trim(hub);
        assertThat(earliest(hub)).isGreaterThan(submitted);
        for (String task : List.of("waits", "runs", "open")) {
            assertShown(hub, task);
        }
        assertThat(history(hub, "task_id", "waits").getFirst().has("carried_from"))
                .isTrue();
        assertThat(assigned(hub, "agent:w")).singleElement().satisfies(copy -> {
            assertThat(copy.object("payload").string("description")).isEqualTo(BODY);
            assertThat(copy.string("id")).isEqualTo("submit_waits");
        });
        TestWire busy = arrived(hub, "agent:v");
        hub.advance(50);
        assertThat(busy.deliveries("task.submitted"))
                .as("what its owner has begun does not come again")
                .isEmpty();
    }

    @Test
    void bodies_are_carried_as_often_as_it_takes_and_no_longer_than_the_task_lives() {
        SimDisk disk = new SimDisk(8);
        TestHub hub = withLiveTasks(disk);
        TestWire planner = hub.session("agent:p");
        long before = 0;
        for (int round = 1; round <= 4; round++) {
            trim(hub);
            assertThat(earliest(hub)).isGreaterThan(before);
            before = earliest(hub);
            assertShown(hub, "waits");
            assertShown(hub, "open");
            chatter(hub, planner, 1_000 * round, 1_000 * round + 150);
        }
        assertThat(assigned(hub, "agent:w")).hasSize(1);
        TestWire worker = hub.session("agent:w");
        for (String word : List.of("started", "completed")) {
            worker.send("\"type\":\"task." + word + "\",\"source\":\"agent:w\",\"task_id\":\"waits\","
                    + "\"payload\":{\"task_id\":\"waits\"}");
        }
        chatter(hub, planner, 9_000, 9_200);
        trim(hub);
        chatter(hub, planner, 9_300, 9_500);
        trim(hub);
        assertThat(history(hub, "event_id", "submit_waits")).isEmpty();
        assertShown(hub, "open");
        TestHub next = start(disk.crash(), hub.now());
        assertShown(next, "open");
    }

    @Test
    void a_body_survives_a_power_cut_at_every_step_of_the_trimming() {
        SimDisk base = new SimDisk(9);
        TestHub prepared = withLiveTasks(base);
        long now = prepared.now();
        int step = 1;
        boolean cut = true;
        for (; cut; step++) {
            SimDisk disk = base.copy();
            TestHub hub = start(disk, now);
            disk.crashAtStep(step);
            try {
                trim(hub);
            } catch (RuntimeException _) {
                assertThat(disk.isDown()).isTrue();
            }
            cut = disk.isDown();
            TestHub next = start(disk.crash(), now + 10_000);
            for (String task : List.of("waits", "runs", "open")) {
                assertShown(next, task);
            }
            trim(next);
            assertThat(earliest(next)).as("trimmed after a cut at step " + step).isGreaterThan(12);
            assertShown(next, "waits");
            List<Json.Obj> copies = assigned(next, "agent:w");
            assertThat(copies).as("after a cut at step " + step).isNotEmpty();
            assertThat(copies).allSatisfy(copy -> assertThat(copy.string("id")).isEqualTo("submit_waits"));
        }
        assertThat(step).isGreaterThan(20);
    }
}
