package dev.harmovela.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.harness.HubHealth;
import dev.harmovela.harness.StateProbe;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.disk.InlineThreads;
import dev.harmovela.testkit.disk.SimDisk;
import dev.harmovela.testkit.hub.TestArchive;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The search over ended tasks follows the log, whatever happens to either (core rule: queries; OBS-01, TSK-03). */
@Tag("faults")
class SearchTest {

    private static final long LONG = 30L * 24 * 3_600_000;
    private static final long DETAIL = 60_000;

    /** Ended tasks are known in full for a minute and forgotten after two. */
    private static final TaskPolicy SHORT =
            TaskPolicy.DEFAULTS.withRetention(new TaskPolicy.Retention(DETAIL, 2 * DETAIL, 1_000));

    private static HubConfig config(long events) {
        return Wires.config(4 << 10, new HubConfig.Retention(events, 1L << 40, LONG), SHORT);
    }

    private static TestHub start(SimDisk disk, HubConfig config, @Nullable TestArchive archive, long now) {
        SplittableRandom salts = new SplittableRandom(now);
        JournalOptions options =
                JournalOptions.DEFAULT.withSegmentBytes(16 << 10).withRandom(salts::nextLong);
        return TestHub.on(
                config,
                (keys, listener) -> SegmentJournal.open(disk, options, new InlineThreads(), keys, listener),
                archive,
                now);
    }

    private static void submit(TestWire wire, String task) {
        wire.send("\"type\":\"task.submitted\",\"task_id\":\"" + task + "\",\"correlation_id\":\"c_" + task
                + "\",\"payload\":{\"task_id\":\"" + task + "\",\"timeout_ms\":" + LONG + "}");
    }

    private static void finish(TestWire wire, String task) {
        for (String word : List.of("started", "completed")) {
            String id = wire.send("\"type\":\"task." + word + "\",\"task_id\":\"" + task + "\",\"correlation_id\":\"c_"
                    + task + "\",\"payload\":{\"task_id\":\"" + task + "\"}");
            assertThat(wire.refusal(id)).isNull();
        }
        wire.clear();
    }

    private static void chatter(TestWire wire, String prefix, int count) {
        for (int n = 0; n < count; n++) {
            wire.send("\"type\":\"context.updated\",\"id\":\"" + prefix + n + "\",\"payload\":{\"n\":1,\"text\":\""
                    + "x".repeat(500) + "\"}");
        }
        wire.clear();
    }

    private static Json.Obj page(TestHub hub, String filter, int limit, @Nullable String cursor) {
        Answer answer = hub.answer(new Ask("tasks", null, (Json.Obj) Json.parse(filter), limit, cursor));
        return ((Answer.Found) answer).body();
    }

    private static List<String> ids(Json.Obj page) {
        return page.array("items").items().stream()
                .map(item -> Objects.requireNonNull(((Json.Obj) item).string("task_id")))
                .toList();
    }

    private static void awaitWritten(TestHub hub) {
        hub.advance(2_500);
    }

    @Test
    void what_ended_before_the_hub_died_is_found_although_the_search_never_heard_of_it() {
        SimDisk disk = new SimDisk(1);
        TestArchive archive = new TestArchive();
        TestHub hub = start(disk, config(10_000), archive, TestHub.START);
        TestWire wire = hub.session("agent:a");
        submit(wire, "heard");
        finish(wire, "heard");
        awaitWritten(hub);
        assertThat(archive.detail("heard")).isNotNull();
        submit(wire, "unheard");
        finish(wire, "unheard");
        TestArchive left = archive.copy();
        assertThat(left.detail("unheard")).isNull();
        TestHub next = start(disk.crash(), config(10_000), left, hub.now() + 3 * DETAIL);
        assertThat(left.detail("unheard").string("submitter")).isEqualTo("agent:a");
        next.advance(3 * DETAIL);
        assertThat(next.ask("task", "unheard").array("history").items()).hasSize(4);
        assertThat(ids(page(next, "{\"state\":\"completed\"}", 10, null))).containsExactly("unheard", "heard");
    }

    @Test
    void what_ended_before_retention_leaves_the_search() {
        SimDisk disk = new SimDisk(1);
        TestArchive archive = new TestArchive();
        HubConfig hour = Wires.config(4 << 10, new HubConfig.Retention(10_000, 1L << 40, 60 * DETAIL), SHORT);
        TestHub hub = start(disk, hour, archive, TestHub.START);
        TestWire wire = hub.session("agent:a");
        submit(wire, "old");
        finish(wire, "old");
        hub.advance(40 * DETAIL);
        submit(wire, "young");
        finish(wire, "young");
        hub.advance(15 * DETAIL);
        assertThat(ids(page(hub, "{\"state\":\"completed\"}", 10, null))).containsExactly("young", "old");
        hub.advance(7 * DETAIL);
        assertThat(archive.detail("old")).isNull();
        assertThat(archive.detail("young")).isNotNull();
        assertThat(ids(page(hub, "{\"state\":\"completed\"}", 10, null))).containsExactly("young");
    }

    @Test
    void a_search_built_anew_knows_what_the_hub_has_forgotten() {
        SimDisk disk = new SimDisk(2);
        TestHub hub = start(disk, config(10_000), null, TestHub.START);
        TestWire wire = hub.session("agent:a");
        submit(wire, "old");
        finish(wire, "old");
        Json.Obj known = hub.ask("task", "old");
        for (int i = 0; i < 4; i++) {
            hub.advance(DETAIL);
            new StateProbe(hub.hub()).takeSnapshot();
            hub.drain();
        }
        assertThat(hub.answer(new Ask("task", "old", Json.Obj.of(), 1, null))).isInstanceOf(Answer.Failed.class);
        TestArchive fresh = new TestArchive();
        TestHub next = start(disk.crash(), config(10_000), fresh, hub.now());
        assertThat(next.ask("task", "old")).isEqualTo(known);
        assertThat(ids(page(next, "{\"correlation_id\":\"c_old\"}", 10, null))).containsExactly("old");
    }

    @Test
    void a_search_of_a_log_without_its_beginning_knows_what_was_carried_and_every_end() {
        SimDisk disk = new SimDisk(3);
        TestHub hub = start(disk, config(40), null, TestHub.START);
        TestWire wire = hub.session("agent:a");
        submit(wire, "early");
        submit(wire, "between");
        chatter(wire, "n", 100);
        finish(wire, "between");
        chatter(wire, "m", 10);
        for (int i = 0; i < 4; i++) {
            new StateProbe(hub.hub()).takeSnapshot();
            hub.drain();
        }
        finish(wire, "early");
        Json.Obj known = hub.ask("task", "early");
        hub.advance(3 * DETAIL);
        TestArchive fresh = new TestArchive();
        TestHub next = start(disk.crash(), config(40), fresh, hub.now());
        assertThat(next.ask("task", "early")).isEqualTo(known);
        Json.Obj partial = next.ask("task", "between");
        assertThat(partial.string("state")).isEqualTo("COMPLETED");
        assertThat(partial.string("correlation_id")).isEqualTo("c_between");
        assertThat(ids(page(next, "{}", 10, null))).containsExactly("early", "between");
    }

    @Test
    void obs_01_a_search_that_fails_is_a_warning_with_a_reason_and_catches_up_when_it_works_again() {
        SimDisk disk = new SimDisk(4);
        TestArchive archive = new TestArchive();
        TestHub hub = start(disk, config(10_000), archive, TestHub.START);
        TestWire wire = hub.session("agent:a");
        archive.broken("the file is locked");
        submit(wire, "t1");
        finish(wire, "t1");
        long broken = hub.now();
        awaitWritten(hub);
        submit(wire, "t2");
        finish(wire, "t2");
        awaitWritten(hub);
        HubHealth health = hub.hub().health();
        assertThat(health.isReady()).isTrue();
        assertThat(health.problems()).isEmpty();
        assertThat(health.warnings()).singleElement().satisfies(part -> {
            assertThat(part.part()).isEqualTo("search");
            assertThat(part.problem()).isEqualTo("the file is locked");
            assertThat(part.since()).isBetween(broken, broken + 2_500);
        });
        Json.Obj known = page(hub, "{\"state\":\"ended\"}", 10, null);
        assertThat(ids(known)).containsExactly("t2", "t1");
        assertThat(known.string("incomplete")).isEqualTo("the file is locked");
        archive.broken(null);
        awaitWritten(hub);
        assertThat(health.warnings()).isEmpty();
        assertThat(archive.detail("t1")).isNotNull();
        assertThat(archive.detail("t2")).isNotNull();
        assertThat(page(hub, "{\"state\":\"ended\"}", 10, null).has("incomplete"))
                .isFalse();
    }

    @Test
    void one_list_over_what_lives_and_what_ended_shows_each_task_once_however_it_moves() {
        TestArchive archive = new TestArchive();
        TestHub hub = start(new SimDisk(5), config(10_000), archive, TestHub.START);
        TestWire wire = hub.session("agent:a");
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            submit(wire, "t" + i);
            expected.addFirst("t" + i);
            if (i % 3 == 0) {
                finish(wire, "t" + i);
            }
        }
        hub.advance(3 * DETAIL);
        assertThat(hub.ask("task", "t0").array("history").items()).isNotEmpty();
        List<String> seen = new ArrayList<>();
        String cursor = null;
        List<String> live = new ArrayList<>(expected);
        live.removeIf(task -> Integer.parseInt(task.substring(1)) % 3 == 0);
        do {
            Json.Obj page = page(hub, "{}", 7, cursor);
            seen.addAll(ids(page));
            cursor = page.string("next_cursor");
            finish(wire, live.removeFirst());
            finish(wire, live.removeLast());
            submit(wire, "late" + seen.size());
            hub.advance(seen.size() % 2 == 0 ? 3 * DETAIL : 10);
        } while (cursor != null);
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void a_question_waits_a_second_for_the_search_and_then_says_as_of_when_it_is() {
        TestArchive archive = new TestArchive();
        TestHub hub = start(new SimDisk(6), config(10_000), archive, TestHub.START);
        TestWire wire = hub.session("agent:a");
        submit(wire, "t1");
        finish(wire, "t1");
        hub.holdNext();
        List<Answer> answers = new ArrayList<>();
        Ask ended = new Ask("tasks", null, (Json.Obj) Json.parse("{\"state\":\"ended\"}"), 10, null);
        hub.hub().ask(dev.harmovela.spi.Caller.open(), ended, answers::add);
        hub.drain();
        hub.advance(900);
        assertThat(answers).isEmpty();
        hub.advance(200);
        Json.Obj late = ((Answer.Found) answers.getFirst()).body();
        assertThat(ids(late)).containsExactly("t1");
        assertThat(late.string("as_of")).isNotNull();
        hub.releaseHeld();
        assertThat(archive.detail("t1")).isNotNull();
        assertThat(page(hub, "{\"state\":\"ended\"}", 10, null).has("as_of")).isFalse();
    }

    @Test
    void a_query_event_reaches_what_only_the_search_remembers() {
        TestHub hub = start(new SimDisk(7), config(10_000), new TestArchive(), TestHub.START);
        TestWire wire = hub.session("agent:a");
        submit(wire, "gone");
        finish(wire, "gone");
        hub.advance(3 * DETAIL);
        TestWire asker = hub.session("agent:q");
        String query = asker.send(query("q1", "\"state\":\"ended\""));
        assertThat(asker.refusal(query)).isNull();
        Json.Obj payload = asker.last("query.response").object("payload");
        assertThat(payload.array("items").items())
                .singleElement()
                .satisfies(
                        item -> assertThat(((Json.Obj) item).string("task_id")).isEqualTo("gone"));
        asker.send(query("q2", "\"onwer\":\"x\""));
        assertThat(asker.received("query.rejected")).hasSize(1);
    }

    private static String query(String correlation, String filter) {
        return "\"type\":\"query.requested\",\"source\":\"agent:q\",\"target\":\"harness:harmovela\","
                + "\"correlation_id\":\"" + correlation + "\",\"payload\":{\"query_scope\":\"tasks\","
                + "\"filter\":{" + filter + "}}";
    }
}
