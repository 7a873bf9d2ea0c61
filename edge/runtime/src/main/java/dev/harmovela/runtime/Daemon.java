package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.Conformance;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.TaskArchive;
import dev.harmovela.transport.http.HttpServer;
import dev.harmovela.transport.http.PortTaken;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A running hub: its journal, its one port and the loop that owns both. Methods may be called from any thread but
 * the loop.
 */
public final class Daemon implements AutoCloseable {

    /** The hub stopped because it was asked to. */
    public static final int STOPPED = 0;

    /** The journal failed; nothing that was not acknowledged before may be believed. */
    public static final int STORAGE_FAILED = 74;

    private static final Logger LOGGER = System.getLogger("dev.harmovela.runtime");
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** How long connections have for their closing handshake. */
    private static final long FAREWELL_MILLIS = 1000;

    private final DaemonConfig config;
    private final HttpServer server;
    private final GrpcDoor grpc;
    private final HarmovelaHub hub;
    private final @Nullable TaskArchive archive;
    private final URI url;
    private final Lookout lookout;
    private final Doors doors;
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private boolean stopping;

    /** Those who decide who comes in, over what, and what else is connected. */
    private record Doors(Doorkeeper keeper, Certificates certificates, LinkDoor links) {}

    private Daemon(DaemonConfig config, Ports ports, HarmovelaHub hub, @Nullable TaskArchive archive, Doors doors) {
        this.config = config;
        this.server = ports.http();
        this.grpc = ports.grpc();
        this.hub = hub;
        this.archive = archive;
        this.doors = doors;
        this.lookout = new Lookout(server, grpc, hub);
        this.url = config.listen().url(config.listen().host(), server.port());
    }

    /**
     * Starts a hub; it is reachable when this returns.
     *
     * @throws StartFailed when the address or the data directory cannot be had
     */
    public static Daemon start(DaemonConfig config) throws StartFailed {
        SearchIfWhole archive = Stores.search(config.data());
        return start(config, archive, Stores.journal(config, archive));
    }

    static Daemon start(DaemonConfig config, @Nullable SearchIfWhole archive, HarmovelaHub.JournalFactory journal)
            throws StartFailed {
        requireAllowed(config);
        PortCheck.requireFree(config.listen());
        Stores.prepare(config.data());
        Doorkeeper door = Doorkeeper.of(config, HubSettings.registry(config));
        Certificates certificates = Certificates.of(config.listen().tls());
        HttpServer server = HttpServer.create(HubSettings.http(config), door.authenticator());
        certificates.secure(server);
        Ports ports = new Ports(server, GrpcDoor.of(config, door.authenticator()));
        HarmovelaHub hub = null;
        try {
            hub = openHub(config, server, archive, journal);
            LinkDoor links = LinkDoor.open(server, hub, config, door);
            Metrics.serve(server, hub, Thread::startVirtualThread, links::metrics);
            A2aDoor.open(
                    server,
                    ports.grpc(),
                    hub,
                    Thread::startVirtualThread,
                    A2aDoor.settings(server, ports.grpc(), config, door));
            ports.grpc().start(hub);
            server.describe(about(config, ports.grpc().address()));
            server.start(hub);
            Daemon daemon = new Daemon(config, ports, hub, archive, new Doors(door, certificates, links));
            daemon.begin();
            return daemon;
        } catch (PortTaken taken) {
            certificates.close();
            giveUp(door, ports, hub, archive);
            throw PortCheck.taken(config.listen(), taken.getCause() == null ? taken : taken.getCause());
        } catch (StartFailed taken) {
            certificates.close();
            giveUp(door, ports, hub, archive);
            throw taken;
        } catch (IOException failure) {
            certificates.close();
            giveUp(door, ports, hub, archive);
            throw Stores.explain(config.data(), failure);
        }
    }

    /** Where it is reached. */
    private record Ports(HttpServer http, GrpcDoor grpc) {}

    private static void requireAllowed(DaemonConfig config) throws StartFailed {
        boolean allowed = config.listen().network() == DaemonConfig.Network.INSECURE_ALLOWED;
        boolean open = config.listen().access() == DaemonConfig.Access.OPEN;
        boolean safe = config.isLoopback() || (config.listen().tls() != null && !open);
        if (!allowed && !safe) {
            throw new StartFailed(
                    StartFailed.Reason.INSECURE_NETWORK,
                    "The hub does not listen on " + config.listen().host() + ", because "
                            + (open
                                    ? "with --dev anybody who reaches that address could read and write everything."
                                    : "without TLS anybody on the way could read tokens and events."),
                    (open ? "Leave out --dev, so that tokens are needed, and give" : "Give")
                            + " a certificate with --tls-cert and --tls-key, or accept that risk with"
                            + " --insecure-network.",
                    null);
        }
    }

    private static Json.Obj about(DaemonConfig config, @Nullable String grpc) {
        Json.Builder about = Json.Obj.builder().put("name", "harmovela");
        if (config.isLoopback()) {
            about.put("version", Version.NUMBER)
                    .put("pid", ProcessHandle.current().pid())
                    .put("grpc", grpc);
        }
        return about.build();
    }

    private static HarmovelaHub openHub(
            DaemonConfig config,
            HttpServer server,
            @Nullable SearchIfWhole archive,
            HarmovelaHub.JournalFactory journal)
            throws IOException {
        LoopAlarm alarm = new LoopAlarm(server.executor());
        HarmovelaHub.Setup setup = new HarmovelaHub.Setup(
                HubSettings.hub(config, HubSettings.transports(config)),
                server.executor(),
                new WallClock(),
                alarm,
                Executors.newVirtualThreadPerTaskExecutor(),
                new SecureRandom()::nextLong,
                journal,
                Stores.spaces(),
                archive,
                config.listen().access() == DaemonConfig.Access.OPEN ? Conformance.GRANTED : Conformance.REFUSED);
        return Owner.call(server.executor(), () -> {
            HarmovelaHub opened = HarmovelaHub.start(setup);
            alarm.wakes(opened);
            return opened;
        });
    }

    private void begin() throws IOException {
        hub.health().onFatal(this::storageFailed);
        if (config.data() != null) {
            RunFile.ofThisProcess(url, grpc.address()).write(config.data());
        }
        lookout.start();
        doors.keeper().follow(hub, server);
        doors.certificates().follow(hub, server);
        doors.links().follow(String.valueOf(status().string("journal")));
    }

    private void storageFailed(Throwable cause) {
        LOGGER.log(Level.ERROR, "the journal failed, the hub ends: {0}", cause.getMessage());
        ended.complete(STORAGE_FAILED);
    }

    private static void giveUp(
            Doorkeeper door, Ports ports, @Nullable HarmovelaHub hub, @Nullable TaskArchive archive) {
        door.close();
        if (hub != null) {
            close(ports.http(), hub);
        }
        ports.grpc().stop();
        ports.http().stop();
        closeArchive(archive);
    }

    /** Where it is reached. */
    public URI url() {
        return url;
    }

    /** The port it listens on. */
    public int port() {
        return url.getPort();
    }

    /** Host and port of gRPC, or null when it is off. */
    public @Nullable String grpcAddress() {
        return grpc.address();
    }

    /** What it was started with. */
    public DaemonConfig config() {
        return config;
    }

    /** Waits until the hub has ended; the code with which the process should end. */
    public int await() throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Stops (TRN-13): tells everybody attached, takes acknowledgements and results as long as configured or until
     * all have gone,
     * ends the connections, closes the journal. What was not acknowledged is delivered again after the next start.
     * Later calls
     * wait for the first.
     *
     * @return what the hub holds at its end, or an empty object when it could not say
     */
    public synchronized Json.Obj stop() {
        if (stopping) {
            return Json.Obj.of();
        }
        stopping = true;
        Json.Obj left = status();
        server.ready(false);
        server.drain();
        grpc.drain();
        server.executor().execute(hub::drain);
        awaitNobody(config.drainGraceMs());
        if (connections() > 0) {
            server.executor().execute(hub::dismiss);
            awaitNobody(FAREWELL_MILLIS);
        }
        doors.links().close();
        close(server, hub);
        lookout.close();
        doors.keeper().close();
        doors.certificates().close();
        grpc.stop();
        server.stop();
        closeArchive(archive);
        if (config.data() != null) {
            RunFile.remove(config.data());
        }
        ended.complete(STOPPED);
        return left;
    }

    private void awaitNobody(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (connections() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private int connections() {
        return server.connections() + grpc.connections();
    }

    @Override
    public void close() {
        stop();
    }

    /** The hub's own figures (D34). */
    private Json.Obj status() {
        CompletableFuture<Json.Obj> status = new CompletableFuture<>();
        Ask ask = new Ask("status", null, Json.Obj.of(), 1, null);
        server.executor()
                .execute(() -> hub.ask(
                        Caller.open(),
                        ask,
                        answer ->
                                status.complete(answer instanceof Answer.Found found ? found.body() : Json.Obj.of())));
        try {
            return status.get(1, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException unknown) {
            return Json.Obj.of();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Json.Obj.of();
        }
    }

    private static void close(HttpServer server, HarmovelaHub hub) {
        try {
            Owner.call(server.executor(), () -> {
                hub.close();
                return hub;
            });
        } catch (IOException failure) {
            LOGGER.log(Level.WARNING, "the journal did not close: {0}", failure.getMessage());
        }
    }

    private static void closeArchive(@Nullable TaskArchive archive) {
        try {
            if (archive != null) {
                archive.close();
            }
        } catch (IOException failure) {
            LOGGER.log(Level.WARNING, "the search did not close: {0}", failure.getMessage());
        }
    }
}
