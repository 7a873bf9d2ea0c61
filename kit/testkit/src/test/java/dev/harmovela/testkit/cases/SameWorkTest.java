package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * SEC-02: what belongs to somebody else costs as much as what is not there, so that the time of an answer tells
 * nothing. Work is measured by what it allocates, which is the same on every machine and under every load.
 */
class SameWorkTest {

    private static final int ROUNDS = 400;
    /** Share by which two medians may differ: whose session it was is looked up, so that its tenant can be told. */
    private static final double TOLERANCE = 0.1;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TestHub hub = TestHub.inMemory();

    @AfterEach
    void stop() {
        hub.close();
    }

    private static Caller caller(String identity, String tenant) {
        return Caller.verified(
                identity,
                tenant,
                new Credential("token:" + tenant, List.of(), List.of("*"), List.of(), Long.MAX_VALUE));
    }

    private TestWire session(Caller caller) {
        TestWire wire = hub.wire(new WireInfo("websocket", caller, WireInfo.Kind.DUPLEX))
                .as(String.valueOf(caller.identity()));
        wire.open(String.valueOf(caller.identity()));
        return wire;
    }

    /** Runs both in turns; medians of what each of them allocated. */
    private static void same(String what, String foreign, String missing, Consumer<String> work) {
        assertThat(foreign).as("ids of one length").hasSameSizeAs(missing);
        long[] one = new long[ROUNDS];
        long[] other = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            one[i] = cost(foreign, work);
            other[i] = cost(missing, work);
        }
        // the first half warms up
        double first = median(one);
        double second = median(other);
        assertThat(Math.abs(first - second))
                .as(what + ": " + first + " bytes for what is foreign, " + second + " for what is missing")
                .isLessThanOrEqualTo(TOLERANCE * second);
    }

    private static long cost(String id, Consumer<String> work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.accept(id);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static long median(long[] of) {
        long[] settled = Arrays.copyOfRange(of, of.length / 2, of.length);
        Arrays.sort(settled);
        return settled[settled.length / 2];
    }

    private static String other(String id) {
        char last = id.charAt(id.length() - 1);
        return id.substring(0, id.length() - 1) + (last == 'X' ? 'Y' : 'X');
    }

    @Test
    void sec_02_questions_about_what_is_foreign_do_the_work_of_those_about_what_is_missing() {
        TestWire alice = session(caller("agent:alice", "acme"));
        String subscription = alice.subscribe("{\"types\":[\"context.*\"]}");
        alice.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        Caller bob = caller("agent:bob", "globex");
        for (String[] asked :
                new String[][] {{"task", "t1"}, {"session", alice.sessionId()}, {"subscription", subscription}}) {
            same(asked[0], asked[1], other(asked[1]), id -> {
                List<Answer> got = new ArrayList<>();
                hub.hub().ask(bob, new Ask(asked[0], id, Json.Obj.of(), 100, null), got::add);
                hub.drain();
                assertThat(got.getFirst()).isInstanceOf(Answer.Failed.class);
            });
        }
    }

    @Test
    void sec_02_events_about_what_is_foreign_do_the_work_of_those_about_what_is_missing() {
        TestWire alice = session(caller("agent:alice", "acme"));
        String subscription = alice.subscribe("{\"types\":[\"context.*\"]}");
        alice.send("\"type\":\"task.submitted\",\"task_id\":\"t1\"");
        String event = alice.send("\"type\":\"context.updated\"");
        TestWire bob = session(caller("agent:bob", "globex"));
        for (String[] said : new String[][] {
            {"\"type\":\"task.cancel.requested\",\"task_id\":\"ID\"", "t1"},
            {"\"type\":\"session.closed\",\"payload\":{\"session_id\":\"ID\"}", alice.sessionId()},
            {"\"type\":\"subscription.cancelled\",\"payload\":{\"subscription_id\":\"ID\"}", subscription},
            {"\"type\":\"event.acknowledged\",\"payload\":{\"acknowledged_event_id\":\"ID\"}", event}
        }) {
            same(said[0], said[1], other(said[1]), id -> {
                bob.send(said[0].replace("ID", id));
                bob.clear();
            });
        }
    }
}
