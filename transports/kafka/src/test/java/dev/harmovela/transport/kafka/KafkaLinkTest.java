package dev.harmovela.transport.kafka;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.LinkContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Links to Kafka, against a broker of its own. */
@Tag("proc")
class KafkaLinkTest extends LinkContract {

    @Override
    protected BrokerFixture broker(Path home) {
        return new KafkaFixture(home);
    }
}
