package dev.harmovela.transport.kafka;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.LinkContract;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Links to Kafka, against a broker of this class. */
@Tag("proc")
class KafkaLinkTest extends LinkContract {

    @TempDir
    private static Path home;

    private static @Nullable KafkaFixture broker;

    @BeforeAll
    static void startBroker() {
        broker = new KafkaFixture(home.resolve("broker"));
    }

    @AfterAll
    static void endBroker() {
        if (broker != null) {
            broker.end();
        }
    }

    @Override
    protected BrokerFixture broker(Path folder) {
        return Objects.requireNonNull(broker);
    }
}
