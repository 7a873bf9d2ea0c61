package dev.harmovela.transport.redis;

import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.ServerProcess;
import dev.harmovela.transport.link.Driver;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A redis-server that forces each write. */
final class RedisFixture implements BrokerFixture {

    static final @Nullable String PROGRAM = ServerProcess.find("redis-server");

    private final int port = ServerProcess.freePort();
    private final ServerProcess server;
    private final RedisDriver driver = new RedisDriver();
    private @Nullable RedisClient client;
    private @Nullable StatefulRedisConnection<String, byte[]> stranger;

    RedisFixture(Path home) {
        try {
            Files.createDirectories(home);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server = new ServerProcess(
                List.of(
                        String.valueOf(PROGRAM),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        home.toString(),
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always",
                        "--save",
                        ""),
                port,
                home);
        start();
    }

    StatefulRedisConnection<String, byte[]> stranger() {
        StatefulRedisConnection<String, byte[]> there = stranger;
        if (there == null || !there.isOpen()) {
            if (client != null) {
                client.shutdownAsync();
            }
            RedisClient made = RedisClient.create(RedisURI.create("127.0.0.1", port));
            made.setOptions(ClientOptions.builder().autoReconnect(false).build());
            client = made;
            there = made.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
            stranger = there;
        }
        return there;
    }

    @Override
    public Driver driver() {
        return driver;
    }

    @Override
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void start() {
        server.start();
        long end = System.nanoTime() + 20_000_000_000L;
        while (System.nanoTime() < end) {
            try {
                stranger().sync().ping();
                return;
            } catch (RuntimeException loading) {
                java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
            }
        }
        throw new AssertionError(server.log());
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
    public void put(String place, byte[] body, Map<String, String> headers) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put("body", body);
        headers.forEach((name, value) -> fields.put(name, value.getBytes(StandardCharsets.UTF_8)));
        stranger().sync().xadd(place, fields);
    }

    @Override
    public List<Seen> all(String place) {
        List<Seen> all = new ArrayList<>();
        for (StreamMessage<String, byte[]> entry : stranger().sync().xrange(place, Range.unbounded())) {
            Map<String, String> headers = new LinkedHashMap<>();
            entry.getBody().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
            byte[] body = entry.getBody().get("body");
            headers.remove("body");
            all.add(new Seen(body == null ? new byte[0] : body, headers));
        }
        return all;
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownAsync();
        }
        server.close();
    }
}
