package dev.harmovela.transport.nats;

import dev.harmovela.contract.json.Json;
import dev.harmovela.testkit.link.BrokerFixture;
import dev.harmovela.testkit.link.ServerProcess;
import dev.harmovela.transport.link.Driver;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A nats-server with JetStream. */
final class NatsFixture implements BrokerFixture {

    static final @Nullable String PROGRAM = ServerProcess.find("nats-server");
    static final String STREAM = "AEP";

    private final int port = ServerProcess.freePort();
    private final ServerProcess server;
    private @Nullable Connection stranger;

    NatsFixture(Path home) {
        try {
            Files.createDirectories(home);
            Files.writeString(
                    home.resolve("nats.conf"),
                    "listen: \"127.0.0.1:" + port + "\"\nmax_payload: 2MB\njetstream { store_dir: \"" + home
                            + "/js\" }\n");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server = new ServerProcess(
                List.of(String.valueOf(PROGRAM), "-c", home.resolve("nats.conf").toString()), port, home);
        start();
    }

    Connection stranger() throws IOException, InterruptedException {
        Connection there = stranger;
        if (there == null || there.getStatus() != Connection.Status.CONNECTED) {
            there = Nats.connect(Options.builder()
                    .server(url())
                    .noReconnect()
                    .connectionTimeout(Duration.ofSeconds(2))
                    .errorListener(new Quiet())
                    .build());
            stranger = there;
        }
        return there;
    }

    @Override
    public Driver driver() {
        return new NatsDriver();
    }

    @Override
    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    @Override
    public Json.Obj extra() {
        return Json.Obj.builder().put("stream", STREAM).build();
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
        Headers all = new Headers();
        headers.forEach(all::put);
        NatsMessage message =
                NatsMessage.builder().subject(place).headers(all).data(body).build();
        long end = System.nanoTime() + 20_000_000_000L;
        while (true) {
            try {
                stranger().jetStream().publish(message);
                return;
            } catch (IOException | IllegalStateException notReady) {
                if (System.nanoTime() > end) {
                    throw notReady;
                }
                java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
            }
        }
    }

    @Override
    public List<Seen> all(String place) throws Exception {
        JetStreamManagement management = stranger().jetStreamManagement();
        List<Seen> all = new ArrayList<>();
        long last = management.getStreamInfo(STREAM).getStreamState().getLastSequence();
        for (long sequence = 1; sequence <= last; sequence++) {
            try {
                MessageInfo info = management.getMessage(STREAM, sequence);
                if (place.equals(info.getSubject())) {
                    all.add(seen(info));
                }
            } catch (JetStreamApiException gone) {
                // deleted
            }
        }
        return all;
    }

    private static Seen seen(MessageInfo info) {
        Map<String, String> headers = new LinkedHashMap<>();
        Headers given = info.getHeaders();
        if (given != null) {
            given.keySet().forEach(name -> headers.put(name, String.valueOf(given.getFirst(name))));
        }
        byte[] body = info.getData();
        return new Seen(body == null ? new byte[0] : body, headers);
    }

    @Override
    public void close() {
        server.close();
    }
}
