package dev.harmovela.transport.kafka;

import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkMode;
import dev.harmovela.transport.link.LinkSettings;
import dev.harmovela.transport.link.Outbound;
import dev.harmovela.transport.link.Routing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** One consumer that reads and commits on the reading thread, and the producers of the writing thread. */
final class KafkaSession implements BrokerSession {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private final Progress progress = new Progress();
    private final Producers producers;
    private final Admin admin;

    private KafkaSession(LinkSettings settings, HubIdentity hub, Map<String, Object> common, Admin admin) {
        this.admin = admin;
        this.producers = new Producers(common);
        this.consumer = settings.mode().reads() ? consumer(settings, hub, common) : null;
    }

    static KafkaSession open(LinkSettings settings, HubIdentity hub, Map<String, Object> common)
            throws LinkFailed, InterruptedException {
        Map<String, Object> config = new HashMap<>(common);
        config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        config.put("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
        Admin admin = Admin.create(config);
        try {
            Topics.require(admin, needed(settings), settings.create() || hub.mayCreate());
            return new KafkaSession(settings, hub, common, admin);
        } catch (LinkFailed | InterruptedException | RuntimeException failed) {
            admin.close(Duration.ZERO);
            throw failed;
        }
    }

    private static List<String> needed(LinkSettings settings) {
        if (settings.routing() == Routing.MAPPED) {
            return List.of();
        }
        boolean answers = settings.mode() == LinkMode.TRANSPORT;
        String events = settings.names().events();
        return answers ? List.of(events, settings.names().out()) : List.of(events);
    }

    private KafkaConsumer<byte[], byte[]> consumer(LinkSettings link, HubIdentity hub, Map<String, Object> common) {
        Map<String, Object> config = new HashMap<>(common);
        config.put("group.id", hub.group(link));
        config.put("enable.auto.commit", false);
        config.put("auto.offset.reset", "earliest");
        config.put("isolation.level", "read_committed");
        config.put("allow.auto.create.topics", false);
        config.put("max.poll.records", 256);
        config.put("metadata.max.age.ms", 5_000);
        config.put("session.timeout.ms", 10_000);
        config.put("heartbeat.interval.ms", 2_000);
        config.put("default.api.timeout.ms", (int) PATIENCE.toMillis());
        config.put("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
        KafkaConsumer<byte[], byte[]> reader =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        if (link.routing() == Routing.SINGLE) {
            reader.subscribe(List.of(link.names().events()), progress);
        } else {
            String mapped = Pattern.quote(link.prefix()) + "\\.(topic|source|type|sess|conv)\\..+";
            reader.subscribe(Pattern.compile(mapped), progress);
        }
        return reader;
    }

    // --- reading

    @Override
    public List<Inbound> read(int most, long waitMillis) throws LinkFailed, InterruptedException {
        List<Inbound> some = new ArrayList<>();
        KafkaConsumer<byte[], byte[]> from = consumer;
        if (from == null) {
            return some;
        }
        try {
            for (ConsumerRecord<byte[], byte[]> record : from.poll(Duration.ofMillis(waitMillis))) {
                progress.read(new TopicPartition(record.topic(), record.partition()), record.offset());
                some.add(inbound(record));
            }
        } catch (InterruptException interrupted) {
            throw Interrupts.of(interrupted);
        } catch (KafkaException failed) {
            throw LinkFailed.because("Kafka", failed);
        }
        return some;
    }

    private static Inbound inbound(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            if (header.value() != null) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        byte[] body = record.value() == null ? new byte[0] : record.value();
        String offset = Long.toString(record.offset());
        return new Inbound(record.topic(), record.partition(), offset, body, headers, null, null);
    }

    @Override
    public void settle(List<Inbound> done) throws LinkFailed, InterruptedException {
        KafkaConsumer<byte[], byte[]> from = consumer;
        Map<TopicPartition, OffsetAndMetadata> commit = progress.settled(done);
        if (from == null || commit.isEmpty()) {
            return;
        }
        try {
            from.commitSync(commit);
        } catch (InterruptException interrupted) {
            throw Interrupts.of(interrupted);
        } catch (RebalanceInProgressException | CommitFailedException moved) {
            // they come again, to us or to another reader, and are known by their ids
            Set<TopicPartition> gone = commit.keySet();
            progress.onPartitionsRevoked(gone);
        } catch (KafkaException failed) {
            throw LinkFailed.because("Kafka does not commit", failed);
        }
    }

    /** Polls without reading on, so that the group does not take this reader for dead. */
    @Override
    public void idle(long waitMillis) throws LinkFailed, InterruptedException {
        KafkaConsumer<byte[], byte[]> from = consumer;
        try {
            if (from == null) {
                TimeUnit.MILLISECONDS.sleep(waitMillis);
                return;
            }
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
            do {
                from.pause(from.assignment());
                ConsumerRecords<byte[], byte[]> early = from.poll(Duration.ofMillis(Math.min(waitMillis, 100)));
                for (TopicPartition partition : early.partitions()) {
                    // assigned in this very poll, so that it was not paused: read again from where it began
                    from.seek(partition, early.records(partition).getFirst().offset());
                }
            } while (System.nanoTime() - end < 0);
            from.resume(from.assignment());
        } catch (InterruptException interrupted) {
            throw Interrupts.of(interrupted);
        } catch (KafkaException failed) {
            throw LinkFailed.because("Kafka", failed);
        }
    }

    /** Also the watchdog: a broker that does not answer ends the session. */
    @Override
    public long lag() throws LinkFailed, InterruptedException {
        KafkaConsumer<byte[], byte[]> from = consumer;
        try {
            Topics.await(admin.describeCluster().nodes());
            if (from == null) {
                return 0;
            }
            long lag = 0;
            for (Map.Entry<TopicPartition, Long> end :
                    from.endOffsets(from.assignment(), PATIENCE).entrySet()) {
                lag += Math.max(0, end.getValue() - from.position(end.getKey(), PATIENCE));
            }
            return lag;
        } catch (InterruptException interrupted) {
            throw Interrupts.of(interrupted);
        } catch (KafkaException failed) {
            throw LinkFailed.because("Kafka does not answer", failed);
        }
    }

    // --- writing

    @Override
    public List<CompletableFuture<Void>> write(List<Outbound> messages) {
        return messages.stream().map(producers::send).toList();
    }

    @Override
    public void close() {
        producers.close();
        admin.close(Duration.ZERO);
        if (consumer != null) {
            try {
                consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(2)));
            } catch (KafkaException gone) {
                // the broker is away; the group notices by itself
            }
        }
    }
}
