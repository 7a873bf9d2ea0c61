package dev.harmovela.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.spi.WireInfo;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Power along a chain: nobody passes on what he does not have, at the time of each step (SEC-08). */
class ChainRightsTest {

    private static final String[] USUAL = {"command.issue", "write:*", "send:*", "read:*"};

    private final TestHub hub = TestHub.inMemory();
    private TestWire a;
    private TestWire b;

    private static Caller caller(String identity, String... grants) {
        return Caller.verified(
                identity,
                "default",
                new Credential("token:" + identity, List.of(), List.of(grants), List.of(), Long.MAX_VALUE));
    }

    private TestWire session(Caller caller) {
        String identity = String.valueOf(caller.identity());
        return hub.wire(new WireInfo("websocket", caller, WireInfo.Kind.DUPLEX))
                .open(identity)
                .as(identity);
    }

    @BeforeEach
    void attach() {
        a = session(caller(
                "agent:a",
                "command.issue",
                "write:command",
                "delegation.*",
                "write:delegation",
                "send:*",
                "read:memory"));
        b = session(caller(
                "agent:b",
                "command.issue",
                "write:tool",
                "write:command",
                "delegation.*",
                "write:delegation",
                "send:*"));
        session(caller("agent:tool", USUAL));
    }

    private String command(TestWire from, String correlation, String scope, String chain) {
        return from.send("\"type\":\"command.requested\",\"target\":\"agent:tool\",\"correlation_id\":\"" + correlation
                + "\",\"payload\":{\"command\":\"tool.run\",\"authorization_scope\":\"" + scope
                + "\",\"delegation_chain\":[" + chain + "]}");
    }

    private Json.Obj details(TestWire wire, String id) {
        return wire.answerTo(id).object("payload").object("error").object("details");
    }

    @Test
    void sec_08_whatTheDelegatorLacksTheDelegateCannotDoForHim() {
        String more = command(b, "c9", "write:tool", "\"agent:a\",\"agent:b\"");
        assertThat(b.refusal(more)).isEqualTo("unauthorized");
        assertThat(details(b, more).string("lacking")).isEqualTo("agent:a");
        assertThat(b.refusal(command(b, "c9", "write:tool", "\"agent:b\"")))
                .as("in its own name")
                .isNull();
        String less = command(b, "c10", "read:memory", "\"agent:a\",\"agent:b\"");
        assertThat(details(b, less).string("lacking")).isEqualTo("agent:b");
    }

    @Test
    void sec_08_whatIsTakenFromTheDelegatorIsTakenFromThoseBelowAtOnce() {
        session(caller("agent:boss", "write:tool", "command.issue", "write:command"));
        assertThat(b.refusal(command(b, "c1", "write:tool", "\"agent:boss\",\"agent:b\"")))
                .isNull();
        hub.hub()
                .govern(Map.of(), held -> "agent:boss".equals(held.identity()) ? caller("agent:boss", "read:x") : held);
        assertThat(b.refusal(command(b, "c2", "write:tool", "\"agent:boss\",\"agent:b\"")))
                .isEqualTo("unauthorized");
    }

    @Test
    void sec_08_nobodyHandsOnMoreThanHeHolds() {
        String more = a.send("\"type\":\"delegation.requested\",\"task_id\":\"t1\",\"parent_task_id\":\"t0\","
                + "\"delegated_by\":\"agent:a\",\"delegated_to\":\"agent:b\","
                + "\"payload\":{\"authorization_scope\":\"write:tool\"}");
        assertThat(details(a, more).string("lacking")).isEqualTo("agent:a");
        String held = a.send("\"type\":\"delegation.requested\",\"task_id\":\"t1\",\"parent_task_id\":\"t0\","
                + "\"delegated_by\":\"agent:a\",\"delegated_to\":\"agent:b\","
                + "\"payload\":{\"authorization_scope\":\"read:memory\"}");
        assertThat(a.refusal(held)).isNull();
    }
}
