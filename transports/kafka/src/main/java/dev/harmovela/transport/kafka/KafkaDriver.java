package dev.harmovela.transport.kafka;

import dev.harmovela.spi.TransportGuarantees;
import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.Driver;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkKind;
import dev.harmovela.transport.link.LinkSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Connects links to Kafka. */
public final class KafkaDriver implements Driver {

    /** What this transport promises. */
    public static final TransportGuarantees GUARANTEES = new TransportGuarantees(
            "harmovela.transport.kafka.v1",
            "best_effort: acks=0; at_least_once, replayable: acks=all, idempotent",
            "per partition; the key is the first of task_id, conversation_id, session_id, source",
            "hub cursors for the hub's history, offsets for the broker's own readers",
            "max_payload_size of the link, 1 MB by default as Kafka has it",
            "inbound: offsets are committed after the hub's force or final refusal; "
                    + "outbound: the peer's event.acknowledged; exports: acks=all");

    @Override
    public LinkKind kind() {
        return LinkKind.KAFKA;
    }

    @Override
    public TransportGuarantees guarantees() {
        return GUARANTEES;
    }

    @Override
    public BrokerSession connect(LinkSettings settings, HubIdentity hub) throws LinkFailed, InterruptedException {
        try {
            return KafkaSession.open(settings, hub, common(settings));
        } catch (InterruptException interrupted) {
            throw Interrupts.of(interrupted);
        } catch (KafkaException failed) {
            throw LinkFailed.because("Kafka cannot be reached", failed);
        }
    }

    /** What every client of a link is told: where the broker is and who the hub is there. */
    private static Map<String, Object> common(LinkSettings settings) throws LinkFailed {
        Map<String, Object> config = new HashMap<>();
        config.put(
                "bootstrap.servers", settings.url().replaceAll("[a-z]+://", "").replaceAll("/+$", ""));
        config.put("client.id", "harmovela-" + settings.name());
        config.put("reconnect.backoff.ms", 100);
        config.put("reconnect.backoff.max.ms", 1_000);
        boolean tls = settings.url().startsWith("kafkas:");
        String user = settings.credential("user");
        String password = settings.credential("password");
        config.put("security.protocol", (user == null ? "" : "SASL_") + (tls ? "SSL" : "PLAINTEXT"));
        if (user != null && password != null) {
            String mechanism = settings.credential("sasl_mechanism");
            boolean scram = mechanism != null && mechanism.startsWith("SCRAM");
            config.put("sasl.mechanism", mechanism == null ? "PLAIN" : mechanism);
            config.put(
                    "sasl.jaas.config",
                    "org.apache.kafka.common.security." + (scram ? "scram.ScramLoginModule" : "plain.PlainLoginModule")
                            + " required username=\"" + quoted(user) + "\" password=\"" + quoted(password) + "\";");
        }
        String ca = settings.credential("tls_ca");
        String certificate = settings.credential("tls_cert");
        String key = settings.credential("tls_key");
        if (ca != null) {
            config.put("ssl.truststore.type", "PEM");
            config.put("ssl.truststore.location", ca);
        }
        if (certificate != null && key != null) {
            config.put("ssl.keystore.type", "PEM");
            config.put("ssl.keystore.certificate.chain", Interrupts.text(certificate));
            config.put("ssl.keystore.key", Interrupts.text(key));
        }
        return config;
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
