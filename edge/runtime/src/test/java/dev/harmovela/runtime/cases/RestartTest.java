package dev.harmovela.runtime.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.SseStream;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SES-05: what a client hears that still uses the session of before a restart. */
class RestartTest {

    @TempDir
    private Path folder;

    private Running hub;

    @BeforeEach
    void start() {
        hub = Running.in(folder);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private HttpApi.Reply heartbeat(String session) throws Exception {
        return hub.say(
                session,
                Events.of("session.heartbeat", "agent:a", "\"payload\":{\"session_id\":\"" + session + "\"}")
                        .toString());
    }

    private static ProtocolError error(HttpApi.Reply reply) {
        Json.Arr errors = reply.object().array("errors");
        assertThat(errors).isNotNull();
        return ProtocolError.parse((Json.Obj) errors.items().getFirst());
    }

    @Test
    void ses05AKnownSessionGoesOnWithoutALoss() throws Exception {
        Agent agent = hub.agent("agent:a");
        agent.subscribe("{\"types\":[\"context.updated\"]}");
        for (int i = 0; i < 3; i++) {
            hub.publish("context.updated", "\"payload\":{\"n\":" + i + "}");
        }
        agent.deliveries(3).forEach(agent::ack);
        agent.fence();
        hub.restart();
        assertThat(heartbeat(agent.sessionId()).status()).isEqualTo(202);
        hub.publish("context.updated", "\"payload\":{\"n\":3}");
        try (Agent again = Agent.resume(hub.url(), "agent:a", agent.sessionId())) {
            List<Json.Obj> next = again.deliveries(1);
            assertThat(next.getFirst().object("payload").integer("n")).isEqualTo(3);
            assertThat(next.getFirst().object("delivery").integer("sequence")).isEqualTo(4);
        }
    }

    @Test
    void ses05AnUnknownSessionIsToldToOpenAndFromWhere() throws Exception {
        Agent agent = hub.agent("agent:a");
        agent.subscribe("{\"types\":[\"context.updated\"]}");
        hub.publish("context.updated", "\"payload\":{\"n\":0}");
        String cursor = agent.delivery().object("delivery").string("cursor");
        hub.publish("context.updated", "\"payload\":{\"n\":1}");
        hub.restart();

        HttpApi.Reply unknown = heartbeat("sess_of_another_hub");
        assertThat(unknown.status()).isEqualTo(404);
        ProtocolError error = error(unknown);
        assertThat(error.code().wire()).isEqualTo("session_error");
        assertThat(error.reason()).isEqualTo("unknown_session");
        assertThat(error.message()).contains("open");
        assertThat(error.details().string("earliest")).isNotBlank();
        assertThat(error.details().string("latest")).isNotBlank();
        try (SseStream stream = hub.stream("sess_of_another_hub")) {
            assertThat(stream.status()).isEqualTo(404);
            assertThat(stream.body()).contains("unknown_session", "latest");
        }

        try (Agent fresh = hub.agent("agent:b")) {
            fresh.subscribe("{\"types\":[\"context.updated\"],\"from_cursor\":\"" + cursor + "\"}");
            assertThat(fresh.delivery().object("payload").integer("n")).isEqualTo(1);
        }
    }

    @Test
    void ses05AClosedSessionIsGone() throws Exception {
        Agent agent = hub.agent("agent:a");
        agent.answer(agent.send("session.closed", ""));
        hub.restart();
        HttpApi.Reply closed = heartbeat(agent.sessionId());
        assertThat(closed.status()).isEqualTo(410);
        assertThat(error(closed).code().wire()).isEqualTo("session_closed");
        assertThat(error(closed).details().string("latest")).isNotBlank();
        try (SseStream stream = hub.stream(agent.sessionId())) {
            assertThat(stream.status()).isEqualTo(410);
        }
    }
}
