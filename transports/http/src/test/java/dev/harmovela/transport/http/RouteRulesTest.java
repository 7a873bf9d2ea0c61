package dev.harmovela.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.spi.Authenticator;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every address says who may use it; a new one has to be put into this table, with its rule (D34, §7). */
class RouteRulesTest {

    /** Behind the arrow: what the hub asks of the caller, beside being known. */
    private static final Map<String, String> RULES = Map.ofEntries(
            Map.entry("GET /healthz open", "nobody is asked"),
            Map.entry("GET /readyz open", "nobody is asked"),
            Map.entry("GET /harmovela/api/healthz open", "nobody is asked"),
            Map.entry("GET /harmovela/api/readyz open", "nobody is asked"),
            Map.entry("GET /harmovela", "each event by its rule"),
            Map.entry("GET /harmovela/events", "own session"),
            Map.entry("POST /harmovela/events", "own session, each event by its rule"),
            Map.entry("GET /aep/events", "own session"),
            Map.entry("POST /aep/events", "own session, each event by its rule"),
            Map.entry("POST /harmovela/api/events", "each event by its rule"),
            Map.entry("GET /harmovela/api/subscriptions", "own, or session.read"),
            Map.entry("POST /harmovela/api/subscriptions", "subscribe: and read: scopes"),
            Map.entry("GET /harmovela/api/subscriptions/{}", "own, or session.read"),
            Map.entry("DELETE /harmovela/api/subscriptions/{}", "own"),
            Map.entry("GET /harmovela/api/subscriptions/{}/events", "own, and still covered"),
            Map.entry("GET /harmovela/api/subscriptions/{}/stream", "own, and still covered"),
            Map.entry("GET /harmovela/api/tasks", "read:task, or a part in it"),
            Map.entry("GET /harmovela/api/tasks/{}", "read:task, or a part in it"),
            Map.entry("GET /harmovela/api/sessions", "own, or session.read"),
            Map.entry("GET /harmovela/api/sessions/{}", "own, or session.read"),
            Map.entry("GET /harmovela/api/agents", "own, or session.read"),
            Map.entry("GET /harmovela/api/budgets", "read:adaptation"),
            Map.entry("GET /harmovela/api/goals", "read:adaptation"),
            Map.entry("GET /harmovela/api/delegations", "read:delegation"),
            Map.entry("GET /harmovela/api/exchanges", "read:command"),
            Map.entry("GET /harmovela/api/interruptions", "read:interruption"),
            Map.entry("GET /harmovela/api/compensations", "read:compensation"),
            Map.entry("GET /harmovela/api/state", "read:state"),
            Map.entry("GET /harmovela/api/beliefs", "read:belief"),
            Map.entry("GET /harmovela/api/attestations", "read:provenance"),
            Map.entry("GET /harmovela/api/pending", "own, or session.read; dead ones dlq.read"),
            Map.entry("GET /harmovela/api/stats", "the tenant's own"),
            Map.entry("GET /harmovela/api/status", "the tenant's own; the hub's with hub.read"),
            Map.entry("GET /harmovela/api/audit", "audit.read"),
            Map.entry("GET /harmovela/api/history", "read: of each event, or a part in it"),
            Map.entry("GET /harmovela/api/dlq", "dlq.read"),
            Map.entry("GET /harmovela/api/dlq/{}", "dlq.read"),
            Map.entry("POST /harmovela/api/dlq/replay", "dlq.replay"),
            Map.entry("DELETE /harmovela/api/dlq/{}", "dlq.discard"));

    @Test
    void everyAddressHasARule() {
        Port port = new Port(HttpConfig.DEFAULT, Authenticator.open());
        Routes.addTo(port);
        assertThat(port.router().served()).containsExactlyInAnyOrderElementsOf(new TreeMap<>(RULES).keySet());
    }

    @Test
    void withoutACredentialEveryOtherAddressAnswers401BeforeItLooksForAnything() throws Exception {
        try (Served served = new Served(HttpConfig.DEFAULT, _ -> new Authenticator.Verdict.NotMine())) {
            for (String rule : RULES.keySet()) {
                String[] words = rule.split(" ");
                String path = words[1].replace("{}", "x");
                int status = served.ask(words[0] + " " + path + " HTTP/1.1").status();
                if (words.length == 3) {
                    assertThat(status).as(rule).isNotEqualTo(401);
                } else {
                    assertThat(status).as(rule).isEqualTo(401);
                }
            }
            assertThat(served.ask("GET /nowhere HTTP/1.1").status()).isEqualTo(401);
        }
    }
}
