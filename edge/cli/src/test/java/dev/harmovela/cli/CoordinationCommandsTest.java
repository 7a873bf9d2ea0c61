package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Delegating, commanding, asking and looking at budgets from the command line. */
@Timeout(60)
class CoordinationCommandsTest {

    private static Daemon hub;
    private static HarmovelaClient worker;

    @BeforeAll
    static void start() throws Exception {
        hub = Daemon.start(ConfigLoader.development(0));
        worker = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:worker"), CoordinationCommandsTest::answer);
        run("task", "submit", "first", "--task-id", "t1");
    }

    @AfterAll
    static void stop() {
        worker.close();
        hub.close();
    }

    private static Cli.Ran run(String... arguments) {
        return Cli.at(hub.url(), arguments);
    }

    /** Takes what is delegated, carries out commands but one, and knows one scope. */
    private static void answer(Delivery delivery) {
        Json.Obj event = delivery.event();
        String type = switch (event.string("type")) {
            case "delegation.requested" -> "delegation.accepted";
            case "command.requested" ->
                "break".equals(event.object("payload").string("command")) ? "command.failed" : "command.completed";
            case "query.requested" -> "query.response";
            default -> null;
        };
        if (type == null) {
            return;
        }
        Json.Builder reply = Json.Obj.builder()
                .put("type", type)
                .put("correlation_id", event.string("correlation_id"))
                .put("causation_id", event.string("id"))
                .put("payload", Json.Obj.builder().put("data", 7).build());
        for (String name : new String[] {"task_id", "parent_task_id", "delegated_by", "delegated_to"}) {
            reply.put(name, event.string(name));
        }
        if (!type.startsWith("delegation.")) {
            reply.put("target", event.string("source"));
        }
        worker.send(reply.build());
    }

    @Test
    void aTaskIsHandedOverAndSeenInItsTree() {
        Cli.Ran ran = run("delegate", "t2", "agent:worker", "--parent", "t1");
        assertThat(ran.code()).as(ran.toString()).isZero();
        Json.Obj tree = run("--json", "task", "tree", "t1").data();
        Json.Obj child = (Json.Obj) tree.array("children").items().getFirst();
        assertThat(child.string("owner")).isEqualTo("agent:worker");
        assertThat(run("delegations").out()).contains("t2", "COMPLETED");
        assertThat(run("delegate", "t3", "agent:nobody").code()).isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void aCommandEndsAsItsAnswerSays() {
        Cli.Ran done = run("--json", "command", "send", "agent:worker", "index.rebuild", "{\"shard\":3}");
        assertThat(done.code()).as(done.toString()).isZero();
        assertThat(done.data().string("type")).isEqualTo("command.completed");
        assertThat(run("command", "send", "agent:worker", "break").code()).isEqualTo(ExitCodes.FAILED);
        assertThat(run("command", "send", "agent:nobody", "x").code()).isEqualTo(ExitCodes.FAILED);
        assertThat(run("command", "send", "agent:worker", "x", "no json").code())
                .isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void agentsAndTheHubAreAsked() {
        Json.Obj answer = run("--json", "query", "ask", "agent:worker", "facts").data();
        assertThat(answer.object("payload").integer("snapshot_version")).isPositive();
        Json.Obj tasks =
                run("--json", "query", "ask", "harness:harmovela", "tasks").data();
        assertThat(tasks.object("payload").array("items").items()).isNotEmpty();
        assertThat(run("agents").out()).contains("agent:worker");
    }

    @Test
    void budgetsAndGoalsAreListed() {
        run("pub", "adaptation.budget.established", "{\"budget_id\":\"b1\",\"limit\":100}");
        run("pub", "adaptation.goal.created", "{\"goal_id\":\"g1\",\"goal_description\":\"Release\"}");
        assertThat(run("budgets").out()).contains("b1");
        assertThat(run("goals").out()).contains("g1", "ACTIVE", "Release");
    }
}
