package dev.harmovela.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.LinkFigures;
import dev.harmovela.transport.link.LinkHost;
import dev.harmovela.transport.link.LinkProblem;
import dev.harmovela.transport.link.LinkReader;
import dev.harmovela.transport.link.LinkSettings;
import dev.harmovela.transport.link.Links;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every link promises (§13, D36–D38), against the real broker: TRN-07, TRN-08, TRN-11 and the outage of issue F.
 */
public abstract class LinkContract {

    private static final String WORKER = "agent:worker";
    private static final String BOSS = "agent:boss";
    private static final List<Conversation> CONVERSATIONS = List.of(Conversation.values());
    private static final String SESSION = "sess-worker-1";
    private static final long PATIENCE_SECONDS = 40;

    @TempDir
    private Path folder;

    private @Nullable BrokerFixture fixture;
    private @Nullable LiveHub live;
    private @Nullable Links links;

    /** Starts the broker; a reason why it cannot is told by {@link #missing()}. */
    protected abstract BrokerFixture broker(Path home);

    /** Why the broker cannot be had on this machine, or null. */
    protected @Nullable String missing() {
        return null;
    }

    @BeforeEach
    void start() {
        String why = missing();
        if (why != null) {
            System.getLogger(getClass().getName()).log(System.Logger.Level.WARNING, "SKIPPED: {0}", why);
        }
        Assumptions.assumeTrue(why == null, why);
        fixture = broker(folder.resolve("broker"));
        live = LiveHub.on(folder.resolve("journal"));
    }

    @AfterEach
    void stop() {
        if (links != null) {
            links.close();
        }
        if (live != null) {
            live.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    /** The broker of this test. */
    protected final BrokerFixture fixture() {
        return java.util.Objects.requireNonNull(fixture);
    }

    /** The hub of this test. */
    protected final LiveHub live() {
        return java.util.Objects.requireNonNull(live);
    }

    // --- links

    /** Runs one link. */
    protected final LinkFigures link(String members) {
        LinkSettings settings = settings(members);
        Links running = new Links(
                _ -> fixture().driver(), new LinkHost(live().hub(), new HubIdentity("hub1", false), _ -> List.of("*")));
        links = running;
        running.use(List.of(settings));
        LinkFigures figures = java.util.Objects.requireNonNull(running.figures().get("one"));
        until("the link is up", () -> figures.state() == LinkFigures.State.UP);
        return figures;
    }

    private LinkSettings settings(String members) {
        Json.Obj link = (Json.Obj) Json.parse("{\"name\":\"one\",\"speaks_for\":[\"agent:*\"],\"create\":true,"
                + "\"routing\":\"single\"" + (members.isEmpty() ? "" : ",") + members + "}");
        link = link.with("url", Json.of(fixture().url()));
        Json.Obj extra = fixture().extra();
        for (String name : extra.names()) {
            link = link.with(name, java.util.Objects.requireNonNull(extra.get(name)));
        }
        try {
            return LinkReader.link(link);
        } catch (LinkProblem problem) {
            throw new AssertionError(problem);
        }
    }

    private void unlink() {
        java.util.Objects.requireNonNull(links).close();
    }

    /** Waits for something that has to come. */
    protected static void until(String what, Callable<Boolean> condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Throwable last = null;
        while (System.nanoTime() < end) {
            try {
                if (condition.call()) {
                    return;
                }
            } catch (Exception failed) {
                last = failed;
            }
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        throw new AssertionError("it did not happen: " + what, last);
    }

    /** Sends as a peer on the broker. */
    protected final String say(String type, String source, String payload, String members) throws Exception {
        Json.Obj event = Events.of(type, source, payload, members);
        put(event, Map.of("aep-session", SESSION));
        return String.valueOf(event.string("id"));
    }

    private void put(Json.Obj event, Map<String, String> headers) throws Exception {
        fixture().put("aep.events", event.toString().getBytes(StandardCharsets.UTF_8), headers);
    }

    /** What the hub said to the peer so far. */
    protected final List<BrokerFixture.Seen> said() throws Exception {
        return fixture().all("aep.out").stream()
                .filter(one -> SESSION.equals(one.headers().get("aep-to")))
                .toList();
    }

    private Json.Obj awaitSaid(String type) {
        List<Json.Obj> found = new ArrayList<>();
        until("the peer hears " + type, () -> {
            for (BrokerFixture.Seen one : said()) {
                if (type.equals(one.event().string("type"))) {
                    found.add(one.event());
                    return true;
                }
            }
            return false;
        });
        return found.getFirst();
    }

    private void openPeer() throws Exception {
        say("session.open", WORKER, "{\"session_id\":\"" + SESSION + "\"}", "");
        Json.Obj opened = awaitSaid("session.opened");
        assertThat(opened.string("session_id")).isEqualTo(SESSION);
        say("session.heartbeat", WORKER, "{}", "");
    }

    private void ack(Json.Obj delivery) throws Exception {
        say("event.acknowledged", WORKER, "{\"acknowledged_event_id\":\"" + delivery.string("id") + "\"}", "");
    }

    // --- both directions

    @Test
    void agentsOnBothSidesExchangeATask() throws Exception {
        link("");
        openPeer();
        LiveAgent boss = LiveAgent.open(live(), "agent:boss");
        boss.ask("subscription.requested", "{\"types\":[\"task.*\"]}", "");
        boss.ask("task.submitted", "{\"task_id\":\"t1\"}", "\"task_id\":\"t1\",\"target\":\"" + WORKER + "\"");
        Json.Obj asked = awaitSaid("task.submitted");
        ack(asked);
        say("task.accepted", WORKER, "{\"task_id\":\"t1\"}", "\"task_id\":\"t1\"");
        say("task.started", WORKER, "{\"task_id\":\"t1\"}", "\"task_id\":\"t1\"");
        say("task.completed", WORKER, "{\"task_id\":\"t1\",\"result\":{\"n\":1}}", "\"task_id\":\"t1\"");
        boss.await(one -> "task.completed".equals(one.string("type")) && one.has("delivery"));
        assertThat(live().ask("task", "t1").string("state")).isEqualToIgnoringCase("completed");

        say("task.submitted", WORKER, "{\"task_id\":\"t2\"}", "\"task_id\":\"t2\",\"target\":\"agent:boss\"");
        boss.await(one -> "task.submitted".equals(one.string("type")) && "t2".equals(one.string("task_id")));
        for (BrokerFixture.Seen one : said()) {
            assertThat(one.headers()).containsEntry("aep-hub", "hub1").containsKey("aep-dedupe");
        }
    }

    /** Commands, queries and delegations go both ways between a session on the broker and one on another wire. */
    @Test
    void agentsOnBothSidesCoordinate() throws Exception {
        link("");
        openPeer();
        LiveAgent boss = LiveAgent.open(live(), BOSS);
        for (Conversation talk : CONVERSATIONS) {
            String task = talk.task("out");
            boss.say(talk.asks, talk.payload(task), talk.members(task, BOSS, WORKER));
            Json.Obj heard = awaitSaid(talk.asks);
            assertThat(heard.string("source")).isEqualTo(BOSS);
            ack(heard);
            say(talk.answers, WORKER, talk.reply(task), talk.answering(heard, task, BOSS, WORKER));
            boss.await(one -> talk.isAnswerTo(heard, one) && WORKER.equals(one.string("source")));
        }
        for (Conversation talk : CONVERSATIONS) {
            String task = talk.task("in");
            String id = say(talk.asks, WORKER, talk.payload(task), talk.members(task, WORKER, BOSS));
            Json.Obj heard = boss.await(one -> id.equals(one.string("id")));
            boss.say(talk.answers, talk.reply(task), talk.answering(heard, task, WORKER, BOSS));
            until(
                    "the peer hears " + talk.answers,
                    () -> said().stream()
                            .map(BrokerFixture.Seen::event)
                            .anyMatch(one -> talk.isAnswerTo(heard, one) && BOSS.equals(one.string("source"))));
        }
    }

    /** TRN-08: no duplicate window of a broker swallows a redelivery. */
    @Test
    void anUnacknowledgedEventReallyComesAgain() throws Exception {
        link("");
        openPeer();
        say("subscription.requested", WORKER, "{\"types\":[\"environment.observed\"]}", "");
        awaitSaid("subscription.created");
        LiveAgent other = LiveAgent.open(live(), "agent:other");
        String id = other.say(
                "environment.observed",
                "{}",
                "\"delivery\":{\"mode\":\"at_least_once\",\"retry\":{\"max_attempts\":3,\"backoff_ms\":200,"
                        + "\"ack_timeout_ms\":300}}");
        until("three attempts", () -> attempts(id).size() >= 3);
        assertThat(attempts(id)).containsExactly(1L, 2L, 3L);
        assertThat(said().stream().map(one -> one.headers().get("aep-dedupe"))).doesNotHaveDuplicates();
    }

    private List<Long> attempts(String id) throws Exception {
        return said().stream()
                .map(BrokerFixture.Seen::event)
                .filter(one -> id.equals(one.string("id")))
                .map(one ->
                        java.util.Objects.requireNonNull(one.object("delivery")).integer("attempt"))
                .map(one -> one == null ? 1L : one)
                .toList();
    }

    // --- what is no event

    /** TRN-11: bytes that are no event are kept raw, and what follows goes on. */
    @Test
    void bytesThatAreNoEventBecomeLettersAndTheRestGoesOn() throws Exception {
        LinkFigures figures = link("");
        fixture().put("aep.events", "not json".getBytes(StandardCharsets.UTF_8), Map.of());
        fixture().put("aep.events", new byte[] {(byte) 0xff, 0, (byte) 0xfe}, Map.of());
        fixture().put("aep.events", new byte[1_200_000], Map.of("aep-session", "nobody"));
        put(Events.of("task.submitted", "agent:x", "{\"task_id\":\"t1\"}", "\"task_id\":\"t1\""), Map.of());
        until("the task is there", () -> live().ask("task", "t1").has("state"));
        until("three letters", () -> figures.letteredTotal() == 3);
        List<Json.Obj> letters = live().list("dead_letters");
        assertThat(letters)
                .hasSize(3)
                .allSatisfy(one -> assertThat(one.string("type")).isEqualTo("unreadable"));
        Json.Obj first = live().ask("dead_letter", letters.getLast().string("id"));
        assertThat(first.toString())
                .contains("bm90IGpzb24=")
                .contains("aep.events")
                .contains("sha256");
    }

    /** A source that the link does not speak for, and a session of somebody else, are refused and kept. */
    @Test
    void forgedSourcesAreRefused() throws Exception {
        LinkFigures figures = link("");
        openPeer();
        put(Events.of("environment.observed", "harness:harmovela", "{}", ""), Map.of());
        put(Events.of("session.open", "agent:thief", "{\"session_id\":\"" + SESSION + "\"}", ""), Map.of());
        until("both are letters", () -> figures.letteredTotal() == 2);
        String id = say("environment.observed", "agent:thief", "{}", "");
        until(
                "the session hears of it",
                () -> said().stream()
                        .map(BrokerFixture.Seen::event)
                        .anyMatch(one -> id.equals(one.string("causation_id"))
                                && one.toString().contains("unauthorized")));
    }

    /** D36: what a hub wrote is skipped, whoever puts it back. */
    @Test
    void whatAHubWroteIsSkipped() throws Exception {
        link("");
        put(Events.of("task.submitted", "agent:x", "{}", "\"task_id\":\"t-loop\""), Map.of("aep-hub", "hub2"));
        put(Events.of("task.submitted", "agent:x", "{}", "\"task_id\":\"t-real\""), Map.of());
        until("the real one is there", () -> live().ask("task", "t-real").has("state"));
        assertThat(live().ask("task", "t-loop").has("state")).isFalse();
    }

    // --- outages

    /** Exports: nothing lost, nothing doubled under another dedupe id, in order, across a killed broker. */
    @Test
    void exportsSurviveAKilledBroker() throws Exception {
        link("\"mode\":\"export\",\"types\":[\"environment.*\"]");
        LiveAgent source = LiveAgent.open(live(), "agent:source");
        exportedInOrder(0);
        publish(source, 0, 200);
        until("they are exported", () -> exported().size() >= 200);
        fixture().kill();
        publish(source, 200, 600);
        fixture().start();
        publish(source, 600, 700);
        exportedInOrder(700);
    }

    /** The same while the hub's link is taken away and put back. */
    @Test
    void exportsGoOnWhereTheyWere() throws Exception {
        link("\"mode\":\"export\",\"types\":[\"environment.*\"]");
        LiveAgent source = LiveAgent.open(live(), "agent:source");
        publish(source, 0, 100);
        until("they are exported", () -> exported().size() >= 100);
        unlink();
        publish(source, 100, 200);
        link("\"mode\":\"export\",\"types\":[\"environment.*\"]");
        publish(source, 200, 300);
        exportedInOrder(300);
    }

    private void exportedInOrder(int count) {
        until(count + " are exported", () -> exported().size() >= count);
        List<Long> expected = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            expected.add(i);
        }
        until("each once and in order", () -> exported().equals(expected));
    }

    private static void publish(LiveAgent source, int from, int to) {
        for (int i = from; i < to; i++) {
            source.say("environment.observed", "{\"n\":" + i + "}", "");
        }
        source.ask("session.heartbeat", "{}", "");
    }

    private List<Long> exported() throws Exception {
        List<String> seen = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (BrokerFixture.Seen one : fixture().all("aep.events")) {
            String dedupe = String.valueOf(one.headers().get("aep-dedupe"));
            Json.Obj payload = one.event().object("payload");
            Long n = payload == null ? null : payload.integer("n");
            if (!seen.contains(dedupe) && n != null) {
                seen.add(dedupe);
                numbers.add(n);
            }
        }
        return numbers;
    }

    /** TRN-07: the server is killed again and again; what peers sent arrives once, and sessions are still there. */
    @Test
    void whatPeersSendArrivesOnceAcrossKilledBrokers() throws Exception {
        LinkFigures figures = link("");
        openPeer();
        LiveAgent reader = LiveAgent.open(live(), "agent:reader");
        reader.ask(
                "subscription.requested",
                "{\"types\":[\"environment.*\"],\"max_in_flight\":10000,\"retry\":{\"ack_timeout_ms\":600000}}",
                "");
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) {
                say("environment.observed", WORKER, "{\"n\":" + (round * 50 + i) + "}", "");
            }
            fixture().kill();
            fixture().start();
            long before = System.nanoTime();
            int wanted = (round + 1) * 50;
            until("round " + round, () -> reader.count(LinkContract::isObserved) >= wanted);
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - before))
                    .isLessThan(30);
        }
        assertThat(reader.count(LinkContract::isObserved)).isEqualTo(150);
        until("the link is up", () -> figures.state() == LinkFigures.State.UP);
        say("session.heartbeat", WORKER, "{}", "");
        assertThat(live().ask("session", SESSION).toString()).containsIgnoringCase("ready");
    }

    private static boolean isObserved(Json.Obj one) {
        return "environment.observed".equals(one.string("type"));
    }

    /** The hub is stopped and started again between two halves of a stream: each once. */
    @Test
    void whatPeersSendArrivesOnceAcrossARestartOfTheHub() throws Exception {
        link("");
        for (int i = 0; i < 100; i++) {
            put(Events.of("task.submitted", "agent:x", "{}", "\"task_id\":\"t" + i + "\""), Map.of());
        }
        unlink();
        live().close();
        for (int i = 100; i < 200; i++) {
            put(Events.of("task.submitted", "agent:x", "{}", "\"task_id\":\"t" + i + "\""), Map.of());
        }
        live = LiveHub.on(folder.resolve("journal"));
        link("");
        until("all are there", () -> live().ask("task", "t199").has("state"));
        for (int i = 0; i < 200; i++) {
            assertThat(live().ask("task", "t" + i).has("state")).as("t" + i).isTrue();
        }
        assertThat(live().ask("status", null).integer("tasks_live")).isEqualTo(200);
    }

    /** A frozen server is noticed, and the link goes on when it thaws. */
    @Test
    void aFrozenBrokerIsNoticed() throws Exception {
        LinkFigures figures = link("");
        fixture().freeze();
        until("it is noticed", () -> figures.state() == LinkFigures.State.DOWN);
        fixture().thaw();
        until("it is up again", () -> figures.state() == LinkFigures.State.UP);
        put(Events.of("task.submitted", "agent:x", "{}", "\"task_id\":\"t-after\""), Map.of());
        until("it works", () -> live().ask("task", "t-after").has("state"));
    }
}
