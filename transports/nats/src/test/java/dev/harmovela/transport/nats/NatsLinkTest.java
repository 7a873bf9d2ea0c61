package dev.harmovela.transport.nats;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.LinkContract;
import dev.harmovela.transport.link.LinkFigures;
import io.nats.client.JetStreamManagement;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links to JetStream, against nats-server. */
@Tag("proc")
class NatsLinkTest extends LinkContract {

    @Override
    protected BrokerFixture broker(Path home) {
        return new NatsFixture(home);
    }

    @Override
    protected @Nullable String missing() {
        return NatsFixture.PROGRAM == null ? "there is no nats-server on this machine" : null;
    }

    /** TRN-07: a consumer that was deleted under a running link is made again. */
    @Test
    void aDeletedConsumerIsMadeAgain() throws Exception {
        LinkFigures figures = link("");
        JetStreamManagement management = ((NatsFixture) fixture()).stranger().jetStreamManagement();
        String durable = management.getConsumerNames(NatsFixture.STREAM).getFirst();
        management.deleteConsumer(NatsFixture.STREAM, durable);
        until(
                "it is there again",
                () -> management.getConsumerNames(NatsFixture.STREAM).contains(durable));
        until("the link is up", () -> figures.state() == LinkFigures.State.UP);
    }
}
