package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.HttpApi;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code GET /metrics} shows (OBS-03). */
class MetricsTest {

    private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:0-9]+)(\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    /** Labels that a series may have; each takes its values from a list that is known beforehand. */
    private static final Set<String> LABELS = Set.of(
            "mode",
            "code",
            "action",
            "outcome",
            "reason",
            "attached",
            "state",
            "transport",
            "position",
            "quantile",
            "area",
            "id");

    /** Every series with its value. */
    private static Map<String, Double> scrape(Running hub) throws Exception {
        HttpApi.Reply reply = hub.get("/metrics");
        assertThat(reply.status()).isEqualTo(200);
        Map<String, Double> series = new TreeMap<>();
        for (String line : ((Json.Str) reply.body()).value().split("\n")) {
            if (!line.startsWith("#")) {
                Matcher matcher = SERIES.matcher(line);
                assertThat(matcher.matches()).as(line).isTrue();
                series.put(line.substring(0, line.lastIndexOf(' ')), Double.valueOf(matcher.group(4)));
            }
        }
        return series;
    }

    @Test
    void obs03TheNumberOfSeriesDoesNotGrowWithTasksAndSessions() throws Exception {
        seriesStayAsManyAfter(2_000, 100);
    }

    @Test
    @Tag("faults")
    @Tag("long")
    void obs03TheSameWithAHundredThousandTasksOverAThousandSessions() throws Exception {
        seriesStayAsManyAfter(100_000, 1_000);
    }

    private static void seriesStayAsManyAfter(int tasks, int sessions) throws Exception {
        try (Running hub = Running.inMemory()) {
            Set<String> before = scrape(hub).keySet();
            List<Agent> agents = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                Agent agent = hub.agent("agent:worker-" + i);
                agent.subscribe("{\"types\":[\"task.*\"],\"topic\":\"topic-" + i + "\"}");
                agents.add(agent);
            }
            for (int i = 0; i < tasks; i++) {
                int who = i % sessions;
                Agent agent = agents.get(who);
                agent.send(
                        "task.submitted",
                        "\"task_id\":\"task-" + i + "\",\"topic\":\"topic-" + who + "\",\"correlation_id\":\"c-" + i
                                + "\",\"payload\":{\"task_id\":\"task-" + i + "\"}");
                if ((i + 1) % (sessions * 10) == 0) {
                    settle(agents);
                }
            }
            settle(agents);
            Map<String, Double> after = scrape(hub);
            assertThat(after.keySet()).isEqualTo(before);
            assertThat(after.get("harmovela_deliveries_total{outcome=\"acknowledged\"}"))
                    .isGreaterThanOrEqualTo(tasks);
            agents.forEach(Agent::close);
        }
    }

    /** Takes what came, so that neither the windows nor the sockets fill. */
    private static void settle(List<Agent> agents) throws Exception {
        for (Agent agent : agents) {
            agent.deliveriesSoFar().forEach(agent::ack);
            agent.fence();
        }
    }

    @Test
    void obs03NoLabelHoldsAnIdOrATenant() throws Exception {
        try (Running hub = Running.inMemory()) {
            Agent agent = hub.agent("agent:someone");
            agent.send("task.submitted", "\"task_id\":\"t-1\",\"payload\":{}");
            agent.fence();
            Set<String> names = new TreeSet<>();
            for (String series : scrape(hub).keySet()) {
                Matcher label = LABEL.matcher(series);
                while (label.find()) {
                    names.add(label.group(1));
                }
                assertThat(series)
                        .doesNotContain("someone", "t-1", "default", agent.sessionId(), "evt_", "sub_", "ses_");
                if (series.contains("{") && series.contains("id=\"")) {
                    assertThat(series).as("names of memory pools").startsWith("jvm_");
                }
            }
            assertThat(LABELS).containsAll(names);
            agent.close();
        }
    }

    @Test
    void theFiguresAreThoseOfTheStatistics() throws Exception {
        try (Running hub = Running.inMemory()) {
            Agent consumer = hub.agent("agent:c");
            consumer.subscribe("{\"types\":[\"context.*\"]}");
            for (int i = 0; i < 3; i++) {
                hub.publish("context.updated", "");
            }
            hub.publish("context.updated", "\"delivery\":{\"mode\":\"best_effort\"}");
            List<Json.Obj> got = consumer.deliveries(4);
            consumer.ack(got.get(0));
            consumer.nack(got.get(1), "not_supported");
            consumer.fence();
            assertThat(hub.post("events", "{\"id\":\"x\"}").status()).isEqualTo(400);

            Map<String, Double> series = scrape(hub);
            assertThat(series)
                    .containsEntry("harmovela_ready", 1.0)
                    .containsEntry("harmovela_events_published_total{mode=\"best_effort\"}", 1.0)
                    .containsEntry("harmovela_deliveries_total{outcome=\"acknowledged\"}", 1.0)
                    .containsEntry("harmovela_deliveries_total{outcome=\"dead_lettered\"}", 1.0)
                    .containsEntry("harmovela_deliveries_pending", 1.0)
                    .containsEntry("harmovela_deliveries_in_flight", 1.0)
                    .containsEntry("harmovela_dead_letters", 1.0)
                    .containsEntry("harmovela_sessions{attached=\"true\"}", 1.0)
                    .containsEntry("harmovela_connections{transport=\"websocket\"}", 1.0)
                    .containsEntry("harmovela_refusals_total{code=\"invalid_envelope\"}", 1.0)
                    .containsEntry("harmovela_delivery_latency_seconds_count", 1.0);
            Json.Obj stats = hub.get("stats").object();
            assertThat(series.get("harmovela_events_published_total{mode=\"stored\"}"))
                    .isEqualTo(stats.number("events_published"));
            assertThat(series.keySet().stream().filter(name -> name.startsWith("harmovela_refusals_total")))
                    .hasSize(ErrorCode.values().length);
            consumer.close();
        }
    }

    @Test
    void theLogShowsItsSizeAndHowLongItTakes(@TempDir Path folder) throws Exception {
        try (Running hub = Running.in(folder)) {
            hub.publish("context.updated", "");
            Map<String, Double> series = scrape(hub);
            assertThat(series.get("harmovela_journal_size_bytes")).isPositive();
            assertThat(series.get("harmovela_journal_lsn{position=\"durable\"}"))
                    .isPositive();
            assertThat(series.get("harmovela_journal_commit_seconds_count")).isPositive();
            assertThat(series.get("harmovela_journal_commit_quantile_seconds{quantile=\"1\"}"))
                    .isPositive();
        }
    }
}
