package dev.harmovela.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InProcessHubTest {

    private record Line(String text, InProcessHub.Channel channel) {}

    private static final class Ears implements InProcessHub.Listener {
        private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();

        @Override
        public void line(String text, InProcessHub.Channel channel) {
            lines.add(new Line(text, channel));
        }

        @Override
        public void ended(String reason) {
            lines.add(new Line("ended", InProcessHub.Channel.OUTPUT));
        }

        Line next() throws InterruptedException {
            Line line = lines.poll(20, TimeUnit.SECONDS);
            assertThat(line).isNotNull();
            return line;
        }
    }

    private static String submit(String id) {
        return "{\"spec_version\":\"0.2\",\"id\":\"" + id + "\",\"type\":\"task.submitted\",\"source\":\"agent:a\","
                + "\"created_at\":\"2026-07-10T10:00:00Z\",\"task_id\":\"t\",\"payload\":{\"task_id\":\"t\"}}";
    }

    @Test
    void eachWireHasASpaceOfItsOwn() throws InterruptedException {
        try (InProcessHub hub = InProcessHub.start()) {
            for (String id : new String[] {"one", "two"}) {
                Ears ears = new Ears();
                try (InProcessHub.Wire wire = hub.connect(ears)) {
                    wire.send(submit(id));
                    Json.Obj answer = (Json.Obj) Json.parse(ears.next().text());
                    assertThat(answer.string("type"))
                            .as("the task id is free in each")
                            .isEqualTo("event.acknowledged");
                    assertThat(answer.string("causation_id")).isEqualTo(id);
                }
            }
        }
    }

    @Test
    void whatIsNoJsonIsAnsweredBesideTheEvents() throws InterruptedException {
        try (InProcessHub hub = InProcessHub.start()) {
            Ears ears = new Ears();
            try (InProcessHub.Wire wire = hub.connect(ears)) {
                wire.send("no json");
                wire.send("[]");
                assertThat(ears.next().channel()).isEqualTo(InProcessHub.Channel.DIAGNOSTICS);
                assertThat(ears.next().channel()).isEqualTo(InProcessHub.Channel.OUTPUT);
            }
        }
    }
}
