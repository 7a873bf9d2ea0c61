package dev.harmovela.transport.kafka;

import dev.harmovela.transport.link.Outbound;
import dev.harmovela.transport.link.WriteRefused;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** An idempotent producer for what must arrive, and one that waits for nobody for what may be lost. */
final class Producers implements AutoCloseable {

    private final Map<String, Object> common;
    private final KafkaProducer<byte[], byte[]> sure;
    private @Nullable KafkaProducer<byte[], byte[]> losable;

    Producers(Map<String, Object> common) {
        this.common = common;
        this.sure = producer(common, "all");
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> common, String acks) {
        Map<String, Object> config = new HashMap<>(common);
        config.put("acks", acks);
        config.put("enable.idempotence", acks.equals("all"));
        config.put("linger.ms", 0);
        config.put("max.block.ms", 5_000);
        config.put("request.timeout.ms", 4_000);
        config.put("delivery.timeout.ms", 9_000);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    CompletableFuture<Void> send(Outbound message) {
        String key = message.key();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                message.place(), key == null ? null : key.getBytes(StandardCharsets.UTF_8), message.body());
        message.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        CompletableFuture<Void> sent = new CompletableFuture<>();
        try {
            var _ = (message.bestEffort() ? losable() : sure).send(record, (_, failed) -> {
                if (failed == null) {
                    sent.complete(null);
                } else {
                    sent.completeExceptionally(refusal(failed));
                }
            });
        } catch (KafkaException failed) {
            sent.completeExceptionally(refusal(failed));
        }
        return sent;
    }

    private KafkaProducer<byte[], byte[]> losable() {
        KafkaProducer<byte[], byte[]> there = losable;
        if (there == null) {
            there = producer(common, "0");
            losable = there;
        }
        return there;
    }

    /** What will never be taken is told from what may be taken later. */
    private static Throwable refusal(Exception failed) {
        return switch (failed) {
            case RecordTooLargeException tooLarge -> new WriteRefused(String.valueOf(tooLarge.getMessage()), true);
            case InvalidTopicException name -> new WriteRefused(String.valueOf(name.getMessage()), false);
            case TopicAuthorizationException name -> new WriteRefused(String.valueOf(name.getMessage()), false);
            default -> failed;
        };
    }

    @Override
    public void close() {
        sure.close(Duration.ZERO);
        if (losable != null) {
            losable.close(Duration.ZERO);
        }
    }
}
