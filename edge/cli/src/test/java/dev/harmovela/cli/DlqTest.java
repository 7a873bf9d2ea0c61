package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.Daemon;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CLI-05: dead letters are looked at, picked, replayed and thrown away with one command. */
class DlqTest {

    private final BlockingQueue<String> refused = new LinkedBlockingQueue<>();
    private Daemon hub;
    private HarmovelaClient consumer;

    /** Two kinds of events that a consumer refuses for good. */
    @BeforeEach
    void fill() throws Exception {
        hub = Daemon.start(ConfigLoader.development(0));
        consumer = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:picky"));
        Json.Obj filter = Json.Obj.builder()
                .put("types", List.of("context.*", "environment.*"))
                .build();
        consumer.subscribe(filter, delivery -> {
                    refused.add(delivery.id());
                    delivery.reject(ProtocolError.of(ErrorCode.INVALID_PAYLOAD, "not to my taste"));
                })
                .get(20, TimeUnit.SECONDS);
        run("pub", "context.updated", "--id", "c1");
        run("pub", "context.updated", "--id", "c2");
        run("pub", "environment.observed", "--id", "e1");
        Awaitility.await().until(() -> items().size() == 3);
    }

    @AfterEach
    void stop() {
        consumer.close();
        hub.close();
    }

    private Cli.Ran run(String... arguments) {
        return Cli.at(hub.url(), arguments);
    }

    private List<Json> items(String... filter) {
        String[] all = new String[filter.length + 3];
        System.arraycopy(new String[] {"dlq", "ls", "--json"}, 0, all, 0, 3);
        System.arraycopy(filter, 0, all, 3, filter.length);
        return Api.items(run(all).data());
    }

    @Test
    void cli05LettersAreListedByFilterAndShownWhole() {
        assertThat(items("--type", "context.*")).hasSize(2);
        assertThat(items("--code", "invalid_payload")).hasSize(3);
        assertThat(items("--code", "busy")).isEmpty();
        assertThat(run("dlq", "list").out()).contains("LETTER", "environment.observed", "invalid_payload");
        String id = Table.text(items("--type", "environment.*").getFirst(), "id");
        Cli.Ran shown = run("dlq", "show", id, "--json");
        assertThat(shown.out()).contains("\"original_event\"", "\"id\":\"e1\"", "not to my taste");
        assertThat(run("dlq", "show", "nobody").code()).isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void cli05AReplayIsPlannedConfirmedAndDone() throws Exception {
        refused.clear();
        Cli.Ran plan = run("dlq", "replay", "--type", "context.*", "--dry-run", "--json");
        assertThat(plan.data().bool("dry_run")).isTrue();
        assertThat(plan.data().integer("ready")).isEqualTo(2);
        Cli.Ran unconfirmed = run("dlq", "replay", "--type", "context.*", "--json");
        assertThat(unconfirmed.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(unconfirmed.error().string("message")).contains("2 letters");
        assertThat(refused).as("nothing was delivered so far").isEmpty();
        Cli.Ran done = run("dlq", "replay", "--type", "context.*", "--yes", "--rate", "100", "--json");
        assertThat(done.data().integer("replayed")).isEqualTo(2);
        assertThat(refused.poll(20, TimeUnit.SECONDS)).isEqualTo("c1");
        assertThat(refused.poll(20, TimeUnit.SECONDS)).isEqualTo("c2");
        String id = Table.text(items("--type", "environment.*").getFirst(), "id");
        assertThat(run("dlq", "replay", id).out()).contains("1 replayed");
        assertThat(refused.poll(20, TimeUnit.SECONDS)).isEqualTo("e1");
    }

    @Test
    void cli05LettersAreThrownAwayOnlyWhenMeant() {
        assertThat(run("dlq", "discard").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(run("dlq", "discard", "--all", "--type", "*").code()).isEqualTo(ExitCodes.USAGE);
        assertThat(run("dlq", "discard", "--all", "--json").error().string("message"))
                .contains("3 letters");
        assertThat(run("dlq", "drop", "--all", "--dry-run").out()).contains("3 would be thrown away");
        assertThat(items()).hasSize(3);
        assertThat(run("dlq", "drop", "--type", "context.*", "--yes").out()).contains("2 thrown away");
        assertThat(items()).hasSize(1);
        String id = Table.text(items().getFirst(), "id");
        assertThat(run("dlq", "discard", id).code()).isZero();
        assertThat(run("dlq", "ls").err()).contains("No dead letters.");
    }
}
