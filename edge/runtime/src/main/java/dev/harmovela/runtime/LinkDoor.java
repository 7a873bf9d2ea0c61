package dev.harmovela.runtime;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import dev.harmovela.transport.http.Exchange;
import dev.harmovela.transport.http.HttpServer;
import dev.harmovela.transport.kafka.KafkaDriver;
import dev.harmovela.transport.link.Driver;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.LinkHost;
import dev.harmovela.transport.link.LinkKind;
import dev.harmovela.transport.link.LinkMode;
import dev.harmovela.transport.link.LinkSettings;
import dev.harmovela.transport.link.Links;
import dev.harmovela.transport.nats.NatsDriver;
import dev.harmovela.transport.redis.RedisDriver;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the links of the links file and follows that file while the hub runs: a good change holds within a second,
 * a broken
 * one leaves the former in force and is told on {@code /readyz} and in the log. Drivers are loaded when a link
 * needs them.
 */
final class LinkDoor implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.runtime");
    private static final String PART = "links";
    private static final String PATH = "/harmovela/api/links";
    private static final long EVERY_MILLIS = 250;
    private static final long OFFER_EVERY = 20;

    private final HarmovelaHub hub;
    private final HttpServer server;
    private final @Nullable LinkStore store;
    private final boolean dev;
    private final Doorkeeper door;
    private final Map<LinkKind, Driver> drivers = new EnumMap<>(LinkKind.class);
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name("harmovela-links").daemon().unstarted(task));
    private volatile @Nullable Links links;
    private String seen = "none";
    private long looks;

    private LinkDoor(HttpServer server, HarmovelaHub hub, DaemonConfig config, Doorkeeper door) {
        this.server = server;
        this.hub = hub;
        this.door = door;
        this.dev = config.listen().access() == DaemonConfig.Access.OPEN;
        Path file = config.linksFile();
        this.store = file == null ? null : new LinkStore(file);
    }

    Doorkeeper keeper() {
        return door;
    }

    /** Adds the routes; before the port is opened. */
    static LinkDoor open(HttpServer server, HarmovelaHub hub, DaemonConfig config, Doorkeeper door) {
        LinkDoor links = new LinkDoor(server, hub, config, door);
        server.route("GET", PATH, HttpServer.Access.AUTHENTICATED, links::list);
        server.route("GET", PATH + "/{}", HttpServer.Access.AUTHENTICATED, links::one);
        return links;
    }

    /**
     * Follows the file from now on.
     *
     * @param hubId persistent id of the hub
     */
    void follow(String hubId) {
        if (store != null) {
            LinkHost host = new LinkHost(hub, new HubIdentity(hubId, dev), this::grants);
            links = new Links(this::driver, host);
            var _ = thread.scheduleWithFixedDelay(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized Driver driver(LinkKind kind) {
        return drivers.computeIfAbsent(kind, wanted -> switch (wanted) {
            case NATS -> new NatsDriver();
            case KAFKA -> new KafkaDriver();
            case REDIS_STREAMS -> new RedisDriver();
        });
    }

    private List<String> grants(LinkSettings link) {
        return dev ? List.of("*") : door.grants(link.roles());
    }

    private void look() {
        Links running = links;
        LinkStore following = store;
        if (running == null || following == null) {
            return;
        }
        String now = stamp(following.file());
        if (!now.equals(seen)) {
            seen = now;
            try {
                running.use(following.read().stream().map(this::forDevelopment).toList());
                hub.health().solved(PART);
                looks = 0;
            } catch (IOException | ConfigProblem broken) {
                String problem = "the links file cannot be used, the former one is in force: " + broken.getMessage();
                hub.health().warn(PART, problem);
                LOGGER.log(Level.WARNING, problem);
            }
        }
        if (looks++ % OFFER_EVERY == 0) {
            offer(running);
        }
    }

    /** In development everybody who reaches the broker may be an agent (D37). */
    private LinkSettings forDevelopment(LinkSettings link) {
        boolean any = dev && link.speaksFor().isEmpty() && link.mode() != LinkMode.EXPORT;
        return any ? link.speakingFor(List.of("agent:*")) : link;
    }

    private void offer(Links running) {
        Json.Obj on = Json.Obj.builder()
                .put("transports", List.copyOf(running.transports()))
                .build();
        server.executor().execute(() -> hub.act(Caller.implied(), "link.transports", on, _ -> {}));
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
            return about.lastModifiedTime() + " " + about.size() + " " + about.fileKey();
        } catch (NoSuchFileException none) {
            return "none";
        } catch (IOException unreadable) {
            return "unreadable";
        }
    }

    // --- over HTTP

    /** Links speak of brokers and tenants, so they are for those who may see the hub as a whole. */
    private boolean mayRead(Exchange exchange) {
        boolean may = exchange.caller().grants().contains(Credential.HUB_READ);
        if (!may) {
            exchange.fail(
                    403,
                    ProtocolError.because(ErrorCode.UNAUTHORIZED, "missing_right", "this needs " + Credential.HUB_READ)
                            .with("required", Credential.HUB_READ));
        }
        return may;
    }

    private List<Json.Obj> shown() {
        Links running = links;
        return running == null ? List.of() : running.show();
    }

    private void list(Exchange exchange) {
        if (mayRead(exchange)) {
            exchange.json(
                    200,
                    Json.Obj.builder()
                            .put("items", new Json.Arr(List.copyOf(shown())))
                            .put("next_cursor", Json.Null.NULL)
                            .build());
        }
    }

    private void one(Exchange exchange) {
        if (!mayRead(exchange)) {
            return;
        }
        for (Json.Obj link : shown()) {
            if (exchange.argument(0).equals(link.string("name"))) {
                exchange.json(200, link);
                return;
            }
        }
        exchange.fail(404, ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "not_found", "no such link"));
    }

    /** The figures of every link in the text form of the metrics. */
    String metrics() {
        Links running = links;
        return running == null ? "" : LinkMetrics.text(running.figures());
    }

    @Override
    public void close() {
        thread.shutdownNow();
        Links running = links;
        if (running != null) {
            running.close();
        }
    }
}
