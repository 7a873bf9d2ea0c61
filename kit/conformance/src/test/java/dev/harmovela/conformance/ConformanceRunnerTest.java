package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceRunnerTest {

    private static final Json REFUSED =
            Json.parse("{\"error\":{\"code\":\"task_error\",\"message\":\"no\",\"retryable\":false}}");
    private static final Patience SHORT = new Patience(500, 50, 0);

    private static final ConformanceRunner RUNNER = new ConformanceRunner(SHORT);

    private Report run(UnaryOperator<Json.Obj> change) {
        return RUNNER.run(Options.all(ParrotHub.target(Suites.all(), change)));
    }

    private static List<String> red(Report report) {
        return report.fixtures().stream()
                .filter(one -> one.status() == Report.Status.FAIL)
                .map(one -> one.path() + ": " + one.reason())
                .toList();
    }

    /** Changes what is said about the event with that id. */
    private static UnaryOperator<Json.Obj> about(String id, UnaryOperator<Json.Obj> change) {
        return event -> id.equals(event.string("causation_id")) ? change.apply(event) : event;
    }

    private static Json.Obj withCode(Json.Obj refusal, String code) {
        Json.Obj payload = refusal.object("payload");
        return refusal.with(
                "payload", payload.with("error", payload.object("error").with("code", Json.of(code))));
    }

    @Test
    @DisplayName("a target that answers as the suite wants passes all of it")
    void allGreen() {
        Report report = run(UnaryOperator.identity());
        assertThat(red(report)).isEmpty();
        assertThat(report.count(Report.Status.SKIP)).isZero();
        assertThat(report.exitCode()).isZero();
        assertThat(report.evidence().transcript()).hasSize(64);
    }

    @Test
    @DisplayName("the deeper fixtures of every profile can be run and passed")
    void deeper() {
        for (String profile : Suites.PROFILES) {
            Report report = RUNNER.run(Options.all(ParrotHub.target(Suites.all(), UnaryOperator.identity()))
                    .withProfile(profile)
                    .withDepth(Options.Depth.DEEP));
            assertThat(red(report)).as(profile).isEmpty();
        }
    }

    @Test
    @DisplayName("a refusal where the suite wants none turns that fixture red and no other")
    void wrongRefusal() {
        Report report = run(about(
                "evt_task_lifecycle_03",
                event -> event.with("type", Json.of("event.rejected")).with("payload", REFUSED)));
        assertThat(red(report)).singleElement().asString().contains("task-lifecycle", "line 3", "task_error");
        assertThat(report.exitCode()).isEqualTo(1);
    }

    @Test
    @DisplayName("another code, a missing detail, a missing answer and a second answer each turn their fixture red")
    void wrongAnswers() {
        assertThat(red(run(about("evt_parent_child_negative_07", event -> withCode(event, "conflict")))))
                .singleElement()
                .asString()
                .contains("parent-child-negative", "conflict (as the suite wants it), not task_error");
        assertThat(red(run(about("evt_governance_contract_03", event -> {
                    Json.Obj payload = event.object("payload");
                    return event.with(
                            "payload",
                            payload.with("error", payload.object("error").without("details")));
                }))))
                .singleElement()
                .asString()
                .contains("governance-contract", "missing_identity");
        assertThat(red(run(about("evt_query_positive_01", event -> event.without("causation_id")))))
                .singleElement()
                .asString()
                .contains("query-positive", "line 1 was not answered");
        assertThat(red(run(event -> "evt_parrot_2".equals(event.string("id"))
                                && "evt_command_positive_02".equals(event.string("causation_id"))
                        ? event.with("causation_id", Json.of("evt_command_positive_01"))
                        : event)))
                .singleElement()
                .asString()
                .contains("command-positive", "was answered 2 times");
    }

    @Test
    @DisplayName("a target that takes everything fails every fixture with a refusal in it")
    void takesEverything() {
        Report report = run(event -> Wire.refusal(event)
                ? event.with("type", Json.of("event.acknowledged"))
                        .with(
                                "payload",
                                Json.parse("{\"acknowledged_event_id\":\"" + event.string("causation_id") + "\"}"))
                : event);
        List<String> rejecting = Suites.main().content().fixtures().stream()
                .filter(one ->
                        one.expect().stream().anyMatch(line -> line.verdict() == LineExpectation.Verdict.REJECTED))
                .map(Suite.Fixture::path)
                .toList();
        assertThat(red(report).stream()
                        .map(one -> one.substring(0, one.indexOf(':')))
                        .toList())
                .isEqualTo(rejecting);
    }

    @Test
    @DisplayName("a copy too few, an emission too many and a wrong count are noticed")
    void wrongEffects() {
        assertThat(red(run(event -> "evt_subscription_one_copy_each_05".equals(event.string("id"))
                                && "sub-2".equals(Wire.subscription(event))
                        ? event.with("id", Json.of("evt_elsewhere"))
                        : event)))
                .singleElement()
                .asString()
                .contains("one-copy-each", "2 copies, not 3");
        assertThat(red(run(about(
                        "evt_task_children_12",
                        event -> Wire.type(event).equals("task.cancelled")
                                ? event.with("task_id", Json.of("task-own-root"))
                                : event))))
                .singleElement()
                .asString()
                .contains("own/task/children", "led to");
        assertThat(red(run(event -> event.object("payload") != null
                                && event.object("payload").has("data")
                        ? event.with(
                                "payload",
                                Json.parse("{\"data\":{\"pending\":2,\"acknowledged\":1,\"deadLettered\":1}}"))
                        : event)))
                .singleElement()
                .asString()
                .contains("delivery-e2e", "pending is 2, not 1");
    }

    @Test
    @DisplayName("a target without statistics is counted by its lines, and the report says so")
    void computedStatistics() {
        Report report = run(event ->
                Wire.type(event).equals("query.response") ? event.with("type", Json.of("query.rejected")) : event);
        assertThat(red(report)).isEmpty();
        assertThat(report.fixtures())
                .filteredOn(one -> one.path().equals("fixtures/delivery-e2e.ndjson"))
                .singleElement()
                .extracting(one -> one.run().stats())
                .isEqualTo("computed");
    }

    @Test
    @DisplayName("a target that falls silent or breaks off fails the fixture with what happened")
    void silence() {
        UnaryOperator<Json.Obj> mute =
                event -> String.valueOf(event.string("causation_id")).startsWith("evt_conformance_")
                        ? event.without("causation_id")
                        : event;
        Report report =
                new ConformanceRunner(new Patience(1, 1, 0)).run(Options.all(ParrotHub.target(Suites.all(), mute)));
        assertThat(report.count(Report.Status.PASS)).isZero();
        assertThat(red(report)).allSatisfy(reason -> assertThat(reason).contains("heartbeat was not answered"));
    }

    @Test
    @DisplayName("where no conformance session is granted everything is skipped for that reason and the run has failed")
    void notGranted() {
        Report report = RUNNER.run(Options.all(Target.inProcess("closed", () -> {
            throw new NotGrantedException("ask the operator");
        })));
        assertThat(report.fixtures()).isNotEmpty().allSatisfy(one -> {
            assertThat(one.status()).isEqualTo(Report.Status.SKIP);
            assertThat(one.reason()).contains("ask the operator");
        });
        assertThat(report.exitCode()).isEqualTo(1);
    }

    @Test
    @DisplayName("an unreachable target is no verdict; one that vanishes later fails what is left")
    void unreachable() {
        assertThatThrownBy(() -> RUNNER.run(Options.all(Target.inProcess("gone", () -> {
                    throw new UnreachableException("nobody there");
                }))))
                .isInstanceOf(UnreachableException.class);
        int[] opened = {0};
        Report report = RUNNER.run(Options.all(Target.inProcess("leaves", () -> {
            if (opened[0]++ > 2) {
                throw new UnreachableException("nobody there");
            }
            return new ParrotHub(Suites.all(), UnaryOperator.identity());
        })));
        assertThat(report.count(Report.Status.PASS)).isEqualTo(3);
        assertThat(red(report)).allSatisfy(reason -> assertThat(reason).contains("nobody there"));
    }

    @Test
    @DisplayName("the same conversation has the same transcript, whatever ids and times the target made")
    void transcript() {
        String first = run(UnaryOperator.identity()).evidence().transcript();
        String other = run(event -> String.valueOf(event.string("id")).startsWith("evt_parrot_")
                        ? event.with(
                                        "id",
                                        Json.of("evt_other_"
                                                + event.string("id").substring(11)))
                                .with("created_at", Json.of("2031-01-01T00:00:00Z"))
                        : event)
                .evidence()
                .transcript();
        String changed = run(about("evt_parent_child_negative_07", event -> withCode(event, "conflict")))
                .evidence()
                .transcript();
        assertThat(other).isEqualTo(first);
        assertThat(changed).isNotEqualTo(first);
    }

    @Test
    @DisplayName("a suite written elsewhere runs as it is")
    void foreign(@TempDir Path directory) throws IOException {
        String good =
                "{\"spec_version\":\"0.2\",\"id\":\"evt_f_1\",\"type\":\"context.updated\",\"source\":\"agent:a\","
                        + "\"created_at\":\"2026-03-02T09:00:01Z\",\"payload\":{\"context_id\":\"c\"}}";
        String bad = good.replace("evt_f_1", "evt_f_2").replace("context.updated", "context.exploded");
        Files.createDirectories(directory.resolve("fixtures"));
        Files.writeString(directory.resolve("fixtures/good.ndjson"), good + "\r\n\r\n");
        Files.writeString(directory.resolve("fixtures/bad.ndjson"), good.replace("evt_f_1", "evt_f_3") + "\n" + bad);
        Files.writeString(directory.resolve("manifest.json"), """
                {"spec_version": "0.2", "suite_version": "7.1", "default_target_level": "HARMOVELA-C1",
                 "maintainer": {"name": "x"}, "levels": ["HARMOVELA-C0", "HARMOVELA-C1"],
                 "fixtures": [
                  {"path": "fixtures/good.ndjson", "level": "HARMOVELA-C0", "expectation": "accept_all", "since": 3},
                  {"path": "fixtures/bad.ndjson", "level": "HARMOVELA-C0", "profile": "extra",
                   "expectation": "reject_some"},
                  {"path": "fixtures/absent.ndjson", "level": "HARMOVELA-C1", "expectation": "stateful_flow"}],
                 "profiles": {"extra": {"fixtures": ["fixtures/bad.ndjson"]}}}
                """);
        Options options = Options.all(Target.inProcess("plain", PlainHub::new)).withManifest(directory);
        Report report = RUNNER.run(options);
        assertThat(report.versions().suite()).isEqualTo("7.1");
        assertThat(report.fixtures())
                .extracting(Report.Result::status)
                .containsExactly(Report.Status.PASS, Report.Status.PASS, Report.Status.FAIL);
        assertThat(report.fixtures().getLast().reason()).contains("absent.ndjson");
        Report credulous = RUNNER.run(options.withProfile("extra").withLevel("C0"));
        assertThat(credulous.fixtures().getLast().status()).isEqualTo(Report.Status.SKIP);
        assertThatThrownBy(() -> RUNNER.run(options.withProfile("delivery"))).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> RUNNER.run(options.withManifest(directory.resolve("nothing.json"))))
                .isInstanceOf(UsageException.class);
        Report taken =
                RUNNER.run(options.withManifest(directory).withProfile("extra").withLevel("C0"));
        assertThat(red(taken)).isEmpty();
    }

    /** Takes what is called {@code context.updated} or is a heartbeat, and refuses everything else. */
    private static final class PlainHub implements Exchange {

        private final Inbox inbox = new Inbox();

        @Override
        public void send(String line) {
            Json.Obj event = (Json.Obj) Json.parse(line);
            boolean known = List.of("context.updated", "session.heartbeat").contains(event.string("type"));
            inbox.add(Incoming.event("{\"type\":\"" + (known ? "event.acknowledged" : "event.rejected")
                    + "\",\"causation_id\":\"" + event.string("id") + "\",\"payload\":{}}"));
        }

        @Override
        public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
            return inbox.take(timeoutMillis);
        }

        @Override
        public void close() {}
    }
}
