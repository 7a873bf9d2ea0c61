package dev.harmovela.transport.kafka;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.ServerProcess;
import dev.harmovela.transport.link.Driver;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker in KRaft mode: the Maven artifacts, in a virtual machine of its own. It starts slowly, so the tests
 * of a class share one: {@link #close()} empties it for the next test and {@link #end()} ends it.
 */
final class KafkaFixture implements BrokerFixture {

    private static final String CLUSTER = "4L6g3nShT-eMCtK--X86sw";

    private final int port = ServerProcess.freePort();
    private final int controller = ServerProcess.freePort();
    private final ServerProcess server;
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    KafkaFixture(Path home) {
        Path config = home.resolve("server.properties");
        try {
            Files.createDirectories(home);
            Files.writeString(config, properties(home));
            format(config, home);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        List<String> command = new ArrayList<>(java("-Xmx400m"));
        command.addAll(List.of("kafka.Kafka", config.toString()));
        server = new ServerProcess(command, port, home);
        start();
    }

    private synchronized KafkaProducer<byte[], byte[]> producer() {
        KafkaProducer<byte[], byte[]> open = producer;
        if (open == null) {
            Map<String, Object> settings = Map.of(
                    "bootstrap.servers",
                    address(),
                    "delivery.timeout.ms",
                    60_000,
                    "linger.ms",
                    0,
                    "max.request.size",
                    2_000_000);
            open = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
            producer = open;
        }
        return open;
    }

    /** A killed broker may register again only when its former session is over, so that is short. */
    private String properties(Path home) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%3$s/data
                num.partitions=1
                auto.create.topics.enable=false
                message.max.bytes=2000000
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                broker.session.timeout.ms=2000
                broker.heartbeat.interval.ms=500
                """.formatted(port, controller, home);
    }

    /** The class path of the broker: only its own jars, so that no other version of a library gets in between. */
    private static List<String> java(String memory) {
        String path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(jar -> !jar.contains("jackson") || jar.contains("/2.2") || jar.contains("annotations"))
                .filter(jar -> !jar.contains("slf4j-jdk14"))
                .collect(Collectors.joining(File.pathSeparator));
        String extra = System.getProperty("harmovela.kafka.path");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                java, memory, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", extra == null ? path : extra);
    }

    private static void format(Path config, Path home) throws IOException {
        List<String> command = new ArrayList<>(java("-Xmx200m"));
        command.addAll(List.of("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", config.toString()));
        Process formatting = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("format.log").toFile())
                .start();
        try {
            if (!formatting.waitFor(60, TimeUnit.SECONDS) || formatting.exitValue() != 0) {
                throw new AssertionError(Files.readString(home.resolve("format.log")));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public Driver driver() {
        return new KafkaDriver();
    }

    @Override
    public String url() {
        return "kafka://" + address();
    }

    @Override
    public void start() {
        server.start();
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public void put(String place, byte[] body, Map<String, String> headers) throws Exception {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(place, body);
        headers.forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        producer().send(record).get(60, TimeUnit.SECONDS);
    }

    @Override
    public List<Seen> all(String place) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", address(), "default.api.timeout.ms", 5_000, "request.timeout.ms", 3_000);
        List<Seen> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> reader =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition only = new TopicPartition(place, 0);
            reader.assign(List.of(only));
            reader.seekToBeginning(List.of(only));
            Long end = reader.endOffsets(List.of(only)).get(only);
            while (end != null && reader.position(only) < end) {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(500))) {
                    Map<String, String> headers = new LinkedHashMap<>();
                    record.headers()
                            .forEach(one -> headers.put(one.key(), new String(one.value(), StandardCharsets.UTF_8)));
                    all.add(new Seen(record.value(), headers));
                }
            }
        }
        return all;
    }

    /** Forgets topics and groups, so that the next test finds the broker as new. */
    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
        start();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            Awaitility.await("an empty broker").atMost(Duration.ofSeconds(60)).until(() -> empty(admin));
        }
    }

    private static boolean empty(Admin admin) throws InterruptedException {
        try {
            Set<String> topics = admin.listTopics().names().get();
            admin.deleteTopics(topics).all().get();
            List<String> groups = admin.listGroups().all().get().stream()
                    .map(GroupListing::groupId)
                    .toList();
            admin.deleteConsumerGroups(groups).all().get();
            return topics.isEmpty() && groups.isEmpty();
        } catch (ExecutionException notYet) {
            return false;
        }
    }

    /** Ends the broker. */
    void end() {
        server.close();
    }
}
