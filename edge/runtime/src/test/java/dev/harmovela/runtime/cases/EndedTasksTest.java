package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.Rebuild;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that ended, over HTTP: found by what is known of them, in pages, also after the search was lost (TSK-03). */
class EndedTasksTest {

    @TempDir
    private Path folder;

    private static void task(Running hub, String id, String... words) throws Exception {
        String payload = ",\"payload\":{\"task_id\":\"" + id + "\"}";
        hub.publish("task.submitted", "\"task_id\":\"" + id + "\",\"correlation_id\":\"order-1\"" + payload);
        for (String word : words) {
            hub.publish("task." + word, "\"task_id\":\"" + id + "\",\"payload\":{\"task_id\":\"" + id + "\"}");
        }
    }

    private static List<String> ids(Running hub, String query) throws Exception {
        return hub.list("tasks" + query).stream()
                .map(row -> row.string("task_id"))
                .toList();
    }

    private enum Awaited {
        A_WARNING,
        NO_WARNING
    }

    private static Json.Obj awaitReady(Running hub, Awaited awaited) {
        return await().atMost(Running.PATIENCE)
                .until(
                        () -> hub.get("/readyz").object(),
                        state -> state.has("warnings") == (awaited == Awaited.A_WARNING));
    }

    @Test
    void endedTasksAreListedFilteredAndPaged() throws Exception {
        try (Running hub = Running.in(folder)) {
            task(hub, "done-1", "started", "completed");
            task(hub, "open-1");
            task(hub, "bad-1", "started", "failed");
            task(hub, "done-2", "started", "completed");
            assertThat(ids(hub, "")).containsExactly("done-2", "bad-1", "open-1", "done-1");
            assertThat(ids(hub, "?state=completed")).containsExactly("done-2", "done-1");
            assertThat(ids(hub, "?state=ended&ended_by=agent&correlation_id=order-1"))
                    .containsExactly("done-2", "bad-1", "done-1");
            assertThat(ids(hub, "?state=live")).containsExactly("open-1");
            assertThat(ids(hub, "?ended_to=2020-01-01T00:00:00Z")).isEmpty();
            List<String> paged = new ArrayList<>();
            String cursor = "";
            while (cursor != null) {
                Json.Obj page = hub.get("tasks?limit=1" + cursor).object();
                ((Json.Arr) page.get("items")).items().forEach(row -> paged.add(((Json.Obj) row).string("task_id")));
                cursor = page.string("next_cursor") == null ? null : "&cursor=" + page.string("next_cursor");
            }
            assertThat(paged).containsExactly("done-2", "bad-1", "open-1", "done-1");
            for (String wrong : List.of("?state=finished", "?onwer=agent:a", "?ended_from=soon", "?cursor=nonsense")) {
                HttpApi.Reply refused = hub.get("tasks" + wrong);
                assertThat(refused.status()).as(wrong).isEqualTo(400);
            }
        }
    }

    @Test
    void aSearchThatWasDeletedOrDamagedComesBackFromTheJournal() throws Exception {
        Path file = folder.resolve("harmovela.sqlite");
        try (Running hub = Running.in(folder)) {
            task(hub, "done-1", "started", "completed");
            assertThat(ids(hub, "?state=ended")).containsExactly("done-1");
        }
        Files.writeString(file, "this is no database at all".repeat(100));
        try (Running hub = Running.in(folder)) {
            Json.Obj page = hub.get("tasks?state=ended").object();
            assertThat(((Json.Arr) page.get("items")).items()).hasSize(1);
            assertThat(page.has("incomplete")).isFalse();
        }
        assertThat(Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1))
                .startsWith("SQLite format 3");
        assertThat(Rebuild.run(Running.config(folder))).isPositive();
    }

    @Test
    void obs01ASearchThatCannotBeOpenedIsAWarningAndTheHubStaysReady() throws Exception {
        Files.createDirectories(folder.resolve("harmovela.sqlite").resolve("in the way"));
        try (Running hub = Running.in(folder)) {
            task(hub, "done-1", "started", "completed");
            Json.Obj page = hub.get("tasks?state=ended").object();
            assertThat(((Json.Arr) page.get("items")).items()).hasSize(1);
            assertThat(page.string("incomplete")).contains("cannot be opened");
            Json.Obj ready = awaitReady(hub, Awaited.A_WARNING);
            assertThat(ready.string("status")).isEqualTo("ready");
            Json.Obj warning = (Json.Obj) ready.array("warnings").items().getFirst();
            assertThat(warning.string("part")).isEqualTo("search");
            assertThat(warning.string("problem")).contains("cannot be opened");
            assertThat(warning.string("since")).isNotNull();
            Files.delete(folder.resolve("harmovela.sqlite").resolve("in the way"));
            Files.delete(folder.resolve("harmovela.sqlite"));
            Json.Obj mended = awaitReady(hub, Awaited.NO_WARNING);
            assertThat(mended.string("status")).isEqualTo("ready");
        }
    }
}
