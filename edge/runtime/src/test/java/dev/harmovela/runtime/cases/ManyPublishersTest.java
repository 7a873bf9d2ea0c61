package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** STO-01: many write at once while one reads all the time: no error, nothing lost. */
class ManyPublishersTest {

    @TempDir
    private Path folder;

    @Test
    void sto01WhatWasAcceptedIsStored() throws Exception {
        publish(16, 50);
    }

    @Test
    @Tag("long")
    void sto01SixtyFourConnectionsPublishAThousandEach() throws Exception {
        publish(64, 1_000);
    }

    private void publish(int connections, int each) throws Exception {
        try (Running hub = Running.in(folder)) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger scans = new AtomicInteger();
            CompletableFuture<Void> scanning = CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    tasks(hub);
                    scans.incrementAndGet();
                }
            });
            List<HarmovelaClient> clients = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                clients.add(HarmovelaClient.connect(hub.url(), ClientOptions.of("agent:p" + i)));
            }
            List<CompletableFuture<Json.Obj>> answers = new ArrayList<>();
            for (int n = 0; n < each; n++) {
                for (int i = 0; i < connections; i++) {
                    String id = "t_" + i + "_" + n;
                    answers.add(clients.get(i)
                            .send(Json.Obj.builder()
                                    .put("type", "task.submitted")
                                    .put("task_id", id)
                                    .put(
                                            "payload",
                                            Json.Obj.builder()
                                                    .put("task_id", id)
                                                    .build())
                                    .build()));
                }
            }
            for (CompletableFuture<Json.Obj> answer : answers) {
                assertThat(answer.join().string("type")).isEqualTo("event.acknowledged");
            }
            over.set(true);
            scanning.join();
            assertThat(scans).hasPositiveValue();
            clients.forEach(HarmovelaClient::close);
            hub.restart();
            assertThat(tasks(hub)).hasSize(connections * each);
        }
    }

    /** Ids of all tasks, page by page. */
    private static Set<String> tasks(Running hub) {
        Set<String> ids = new HashSet<>();
        try {
            String cursor = "";
            while (cursor != null) {
                Json.Obj page = hub.get("tasks?limit=1000" + cursor).object();
                page.array("items").items().forEach(item -> ids.add(((Json.Obj) item).string("task_id")));
                cursor = page.string("next_cursor") == null ? null : "&cursor=" + page.string("next_cursor");
            }
        } catch (dev.harmovela.client.NotReachable failure) {
            throw new AssertionError(failure);
        }
        return ids;
    }
}
