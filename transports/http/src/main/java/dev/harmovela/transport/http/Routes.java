package dev.harmovela.transport.http;

import dev.harmovela.contract.json.Json;
import java.util.List;

/** The addresses of the hub (§13, §15, D34). */
final class Routes {

    static final String API = "/harmovela/api";

    private Routes() {}

    static void addTo(Port port) {
        Router router = port.router();
        addHealth(port, router);
        router.add("GET", "/harmovela", new Upgrade(port)).withoutHead();

        SessionStreams streams = new SessionStreams(port);
        for (String path : new String[] {"/harmovela/events", "/aep/events"}) {
            router.add("GET", path, streams::attach).withoutHead();
            router.add("POST", path, streams::post);
        }

        EventsApi events = new EventsApi(port);
        router.add("POST", API + "/events", events::post);

        SubscriptionsApi subscriptions = new SubscriptionsApi(port);
        QueriesApi queries = new QueriesApi(port);
        router.add("GET", API + "/subscriptions", queries.list("subscriptions"));
        router.add("POST", API + "/subscriptions", subscriptions::create);
        router.add("GET", API + "/subscriptions/{}", queries.one("subscription"));
        router.add("DELETE", API + "/subscriptions/{}", subscriptions::cancel);
        router.add("GET", API + "/subscriptions/{}/events", subscriptions::poll).withoutHead();
        router.add("GET", API + "/subscriptions/{}/stream", subscriptions::stream)
                .withoutHead();
        addQueries(router, queries);

        LettersApi letters = new LettersApi(port);
        router.add("GET", API + "/dlq", queries.list("dead_letters"));
        router.add("POST", API + "/dlq/replay", letters::replay);
        router.add("GET", API + "/dlq/{}", queries.one("dead_letter"));
        router.add("DELETE", API + "/dlq/{}", letters::discard);
    }

    /** What the dimensions know; each list is called as the question is. */
    private static final List<String> KNOWN = List.of(
            "budgets",
            "goals",
            "delegations",
            "exchanges",
            "interruptions",
            "compensations",
            "state",
            "beliefs",
            "attestations");

    private static void addHealth(Port port, Router router) {
        Handler health = exchange -> exchange.json(200, port.about().with("status", Json.of("ok")));
        Handler readiness = exchange -> exchange.json(
                port.ready() ? 200 : Statuses.UNAVAILABLE, port.readiness().told(port.draining()));
        router.add("GET", "/healthz", health).open();
        router.add("GET", API + "/healthz", health).open();
        router.add("GET", "/readyz", readiness).open();
        router.add("GET", API + "/readyz", readiness).open();
    }

    private static void addQueries(Router router, QueriesApi queries) {
        router.add("GET", API + "/tasks", queries.list("tasks"));
        router.add("GET", API + "/tasks/{}", queries.one("task"));
        router.add("GET", API + "/sessions", queries.list("sessions"));
        router.add("GET", API + "/sessions/{}", queries.one("session"));
        router.add("GET", API + "/agents", queries.list("agents"));
        for (String scope : KNOWN) {
            router.add("GET", API + '/' + scope, queries.list(scope));
        }
        router.add("GET", API + "/pending", queries.list("deliveries"));
        router.add("GET", API + "/stats", queries.list("stats"));
        router.add("GET", API + "/status", queries.list("status"));
        router.add("GET", API + "/audit", queries.list("audit"));
        router.add("GET", API + "/history", queries.list("history"));
    }
}
