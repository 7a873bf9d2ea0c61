package dev.harmovela.cli;

import dev.harmovela.client.NotReachable;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.Daemon;
import dev.harmovela.runtime.DaemonConfig;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.StartFailed;
import dev.harmovela.runtime.Version;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a hub until it is told to stop. */
@Command(
        name = "serve",
        description = "Run a hub in the foreground.",
        footer = {"", "Example: harmovela serve --dev --port 9000 --data ./hub-data"})
final class ServeCommand extends HubCommand {

    @Option(
            names = "--dev",
            description = "for development: in memory unless --data, everybody on this machine is let in")
    private boolean dev;

    @Option(
            names = "--insecure-network",
            description = "allow --host other than loopback without TLS, where anybody can listen in")
    private boolean insecureNetwork;

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "port of gRPC; 0 takes a free one, -1 is none (default: 8788 with --dev, else none)")
    private @Nullable String grpcPort;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "PEM file of the hub's certificate chain: serve https and wss")
    private @Nullable String certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "PEM file of that certificate's private key")
    private @Nullable String key;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "PEM file of the authorities whose client certificates are believed")
    private @Nullable String clientAuthorities;

    private @Nullable EchoAgent echo;

    @Override
    int run() throws Failure, InterruptedException {
        Map<String, String> options = new HashMap<>();
        if (dev) {
            options.put("dev", "true");
        }
        if (insecureNetwork) {
            options.put("insecure_network", "true");
        }
        if (grpcPort != null) {
            options.put("grpc.port", grpcPort);
        }
        put(options, "tls.certificate", certificate);
        put(options, "tls.key", key);
        put(options, "tls.client_ca", clientAuthorities);
        LoadedConfig loaded = root().load(options);
        Logs.configure(loaded.config().logLevel());
        Daemon daemon;
        try {
            daemon = Daemon.start(loaded.config());
        } catch (StartFailed failed) {
            throw Failure.of(failed);
        }
        attachEcho(daemon);
        Thread hook = Thread.ofPlatform().name("harmovela-stop").unstarted(() -> stop(daemon));
        Runtime.getRuntime().addShutdownHook(hook);
        say(daemon, loaded);
        int code = daemon.await();
        if (code == Daemon.STORAGE_FAILED) {
            console()
                    .fail(new Failure(
                            ExitCodes.STORAGE_FAILED,
                            "storage_failed",
                            "The disk refused a write, so the hub stopped; everything it had acknowledged is safe.",
                            "Look at the disk, then run harmovela doctor and start again."));
            // nothing may be written any more, not even by a shutdown hook
            Runtime.getRuntime().halt(code);
        }
        return code;
    }

    private static void put(Map<String, String> options, String name, @Nullable String file) {
        if (file != null) {
            options.put(name, Path.of(file).toAbsolutePath().toString());
        }
    }

    /** A development hub has an agent to talk to over A2A. */
    private void attachEcho(Daemon daemon) {
        if (daemon.config().listen().access() != DaemonConfig.Access.OPEN) {
            return;
        }
        try {
            echo = EchoAgent.attach(daemon.url(), root().tls());
        } catch (NotReachable | Failure | RuntimeException failed) {
            console().note("The echo agent could not be attached: " + failed.getMessage());
        }
    }

    /** On SIGTERM and SIGINT; the virtual machine would otherwise end with the number of the signal. */
    private void stop(Daemon daemon) {
        console().note("Stopping …");
        if (echo != null) {
            echo.close();
        }
        Json.Obj left = daemon.stop();
        Long tasks = left.integer("tasks_live");
        Long sessions = left.integer("sessions");
        if (tasks != null && sessions != null) {
            String fate = daemon.config().data() == null
                    ? "gone with its memory"
                    : "kept in " + daemon.config().data();
            console().note("Stopped; " + tasks + " live tasks and " + sessions + " sessions are " + fate + ".");
        }
        Runtime.getRuntime().halt(ExitCodes.OK);
    }

    private void say(Daemon daemon, LoadedConfig loaded) {
        DaemonConfig config = daemon.config();
        String url = daemon.url().toString();
        long pid = ProcessHandle.current().pid();
        if (console().isJson()) {
            Json.Obj data = Json.Obj.builder()
                    .put("url", url)
                    .put("port", (long) daemon.port())
                    .put("grpc", daemon.grpcAddress())
                    .put("pid", pid)
                    .put("version", Version.NUMBER)
                    .put("data", config.data() == null ? null : config.data().toString())
                    .put("dev", config.listen().access() == DaemonConfig.Access.OPEN)
                    .build();
            console().result(data, "");
        }
        console()
                .note(Main.VERSION + ", process " + pid + ", ready in "
                        + ManagementFactory.getRuntimeMXBean().getUptime() + " ms");
        console().note("  WebSocket  ws" + url.substring("http".length()) + "/harmovela  (subprotocol harmovela-0.2)");
        console().note("  Events     " + url + "/harmovela/events  (SSE)");
        console().note("  HTTP API   " + url + "/harmovela/api");
        if (daemon.grpcAddress() != null) {
            console().note("  gRPC       " + daemon.grpcAddress() + "  (harmovela.v1.HarmovelaTransport, A2A, health)");
        }
        console().note("  A2A        " + url + "/a2a");
        console()
                .note("  Data       "
                        + (config.data() == null ? "none: memory only, gone when this process ends" : config.data()));
        if (loaded.file() != null) {
            console().note("  Config     " + loaded.file());
        }
        boolean open = config.listen().access() == DaemonConfig.Access.OPEN;
        if (!open) {
            console()
                    .note("  Access     tokens of " + config.securityFile()
                            + "; commands on this machine use the admin token beside it");
        }
        if (!config.isLoopback() && (open || config.listen().tls() == null)) {
            console()
                    .note("Insecure: " + config.listen().host()
                            + (open
                                    ? ": everybody who reaches it can read and write everything."
                                    : " is served without TLS: tokens and events can be read on the way."));
        }
        if (open) {
            console()
                    .note("Development mode, not for production: everybody on this machine is let in under the "
                            + "name they give, and conformance sessions are granted.");
        }
    }
}
