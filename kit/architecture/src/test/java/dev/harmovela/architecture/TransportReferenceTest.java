package dev.harmovela.architecture;

import dev.harmovela.spi.TransportGuarantees;
import dev.harmovela.transport.http.HttpGuarantees;
import dev.harmovela.transport.kafka.KafkaDriver;
import dev.harmovela.transport.nats.NatsDriver;
import dev.harmovela.transport.redis.RedisDriver;
import dev.harmovela.transport.stdio.StdioTransport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keeps docs/reference/transports.md equal to what the transports say of themselves. */
class TransportReferenceTest {

    private static final List<TransportGuarantees> ALL = List.of(
            StdioTransport.GUARANTEES,
            HttpGuarantees.WEBSOCKET,
            HttpGuarantees.SSE,
            NatsDriver.GUARANTEES,
            KafkaDriver.GUARANTEES,
            RedisDriver.GUARANTEES);

    @Test
    void everyTransportIsOnItsPage() throws Exception {
        StringBuilder page = new StringBuilder("""
                # Transports

                Generated from the code by `./dev golden architecture`. What each transport promises; which of them
                are on stands in `session.opened` and `capabilities.declared`.

                | profile | delivery modes | order | replay | limits | who has it when |
                |---|---|---|---|---|---|
                """);
        for (TransportGuarantees one : ALL) {
            page.append("| `%s` | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            one.profile(), one.modes(), one.ordering(), one.replay(), one.limits(), one.settlement()));
        }
        Checkout.golden("docs/reference/transports.md", page.toString());
    }
}
