package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** STO-03, TSK-11 on a real file system of 20 MiB; it has to be mounted, so this needs to be run as root. */
@Tag("faults")
@Tag("long")
@Tag("mount")
class FullDiskTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void mount() throws Exception {
        run("mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", folder.toString());
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", folder.toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }

    @Test
    void sto03AFullDiskRefusesPublishesAndNothingElseAndRecoversByItself() throws Exception {
        Path ballast = Files.write(folder.resolve("ballast"), new byte[4 << 20]);
        try (Running hub = Running.in(folder.resolve("data"), "retention.events", "1000000")) {
            Agent reader = hub.agent("agent:r");
            reader.subscribe("{\"types\":[\"context.updated\"],\"max_in_flight\":1}");
            ProtocolError refusal = fill(hub);
            assertThat(refusal.code().wire()).isEqualTo("internal_error");
            assertThat(refusal.retryable()).isTrue();
            assertThat(refusal.reason()).isEqualTo("storage_full");
            await().untilAsserted(() -> assertThat(hub.get("/readyz").status()).isEqualTo(503));
            assertThat(hub.get("/healthz").status()).isEqualTo(200);

            HttpApi.Reply task = hub.post(
                    "events",
                    Events.of("task.submitted", "agent:p", "\"task_id\":\"t1\"").toString());
            assertThat(task.status()).isEqualTo(503);
            assertThat(hub.get("tasks/t1").status()).as("TSK-11").isEqualTo(404);

            Json.Obj first = reader.delivery();
            reader.ack(first);
            reader.fence();
            assertThat(reader.delivery().object("delivery").integer("sequence")).isEqualTo(2);

            Files.delete(ballast);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(hub.get("/readyz").status()).isEqualTo(200));
            hub.publish("context.updated", "");
            reader.close();
        }
    }

    private static ProtocolError fill(Running hub) throws Exception {
        String members = "\"payload\":{\"filler\":\"" + "x".repeat(64 << 10) + "\"}";
        for (int i = 0; i < 1_000; i++) {
            HttpApi.Reply reply = hub.post(
                    "events", Events.of("context.updated", "agent:p", members).toString());
            if (reply.status() != 202) {
                assertThat(reply.status()).isEqualTo(503);
                Json.Arr errors = reply.object().array("errors");
                return ProtocolError.parse((Json.Obj) errors.items().getFirst());
            }
        }
        throw new AssertionError("the disk did not become full");
    }
}
