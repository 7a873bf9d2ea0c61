package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SUB-08, TRN-03 with a consumer that the operating system stops: nobody else notices, and it loses nothing. */
@Tag("proc")
@Tag("faults")
class StoppedConsumerTest {

    private static final int EVENTS = Integer.getInteger("harmovela.stopped.events", 3_000);
    private static final String FILLER = "x".repeat(4096);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void sub08AStoppedProcessDelaysNobodyAndGetsEverythingWhenItGoesOn() throws Exception {
        Files.writeString(folder.resolve("harmovela.config.json"), "{\"http\":{\"stall_ms\":1000}}");
        try (Hub hub = Hub.serve(
                        folder, "--dev", "--data", folder.resolve("data").toString());
                Hub stopped = subscriber(hub);
                HarmovelaClient other = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:other"));
                HarmovelaClient publisher = HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:p"))) {
            Set<Long> seen = new ConcurrentSkipListSet<>();
            Json.Obj filter =
                    Json.Obj.builder().put("types", List.of("context.*")).build();
            other.subscribe(filter, delivery -> seen.add(delivery.payload().integer("n")))
                    .join();
            await().atMost(PATIENCE).until(() -> subscriptions(hub) == 2);
            signal("STOP", stopped);

            publish(publisher);
            await().atMost(PATIENCE).until(() -> seen.size() == EVENTS);
            assertThat(numbers(stopped)).as("while it is stopped").hasSizeLessThan(EVENTS);
            try (HttpApi api = new HttpApi(hub.url(), null, PATIENCE)) {
                assertThat(api.get("/readyz").status()).isEqualTo(200);
                assertThat(api.get("stats").object().object("deliveries").integer("pending"))
                        .isPositive();
            }

            signal("CONT", stopped);
            await().atMost(PATIENCE)
                    .until(() -> numbers(stopped).stream().distinct().count() == EVENTS);
            assertThat(numbers(stopped).stream().distinct())
                    .containsExactlyElementsOf(
                            LongStream.range(0, EVENTS).boxed().toList());
        }
    }

    private Hub subscriber(Hub hub) throws IOException {
        return Hub.start(
                folder,
                Redirect.from(new File("/dev/null")),
                "subscribe",
                "context.*",
                "--as",
                "agent:stopped",
                "--json",
                "--url",
                hub.url().toString());
    }

    private static int subscriptions(Hub hub) throws Exception {
        try (HttpApi api = new HttpApi(hub.url(), null, PATIENCE)) {
            return Math.toIntExact(api.get("subscriptions").object().array("items").items().stream()
                    .filter(row -> "session".equals(((Json.Obj) row).string("kind")))
                    .count());
        }
    }

    private static void signal(String name, Hub process) throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", "-" + name, Long.toString(process.process().pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).as("kill -" + name).isZero();
    }

    private static void publish(HarmovelaClient publisher) {
        List<CompletableFuture<Json.Obj>> answers = new ArrayList<>();
        for (int n = 0; n < EVENTS; n++) {
            Json.Obj payload =
                    Json.Obj.builder().put("n", n).put("filler", FILLER).build();
            answers.add(publisher.send("context.updated", payload));
        }
        answers.forEach(answer -> assertThat(answer.join().string("type")).isEqualTo("event.acknowledged"));
    }

    /** The numbers it has shown, in the order it showed them. */
    private static List<Long> numbers(Hub subscriber) throws IOException {
        String out = subscriber.out();
        List<Long> numbers = new ArrayList<>();
        out.substring(0, out.lastIndexOf('\n') + 1).lines().forEach(line -> {
            Json.Obj event = (Json.Obj) Json.parse(line);
            numbers.add(event.object("payload").integer("n"));
        });
        return numbers;
    }
}
