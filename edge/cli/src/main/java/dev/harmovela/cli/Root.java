package dev.harmovela.cli;

import dev.harmovela.client.HttpApi;
import dev.harmovela.client.tls.TlsFiles;
import dev.harmovela.runtime.ConfigLoader;
import dev.harmovela.runtime.ConfigProblem;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.RunFile;
import dev.harmovela.runtime.security.SecurityStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code harmovela} itself: the options that every command has, and what they lead to. */
@Command(
        name = "harmovela",
        version = Main.VERSION,
        description = "A hub through which autonomous agents coordinate.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Begin with two terminals:  harmovela serve --dev   and   harmovela sub 'task.*'",
            "Help on a command:         harmovela COMMAND --help"
        })
final class Root implements Runnable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "show this help")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "show the version")
    private boolean version;

    @Option(
            names = "--url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "address of the hub (HARMOVELA_URL)")
    private @Nullable String url;

    @Option(
            names = "--host",
            paramLabel = "ADDR",
            scope = ScopeType.INHERIT,
            description = "host of the hub, or to listen on")
    private @Nullable String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "N",
            scope = ScopeType.INHERIT,
            description = "port of the hub, or to listen on")
    private @Nullable String port;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            scope = ScopeType.INHERIT,
            description = "bearer token (HARMOVELA_TOKEN)")
    private @Nullable String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "PEM file of the authority that vouches for the hub (HARMOVELA_CA)")
    private @Nullable Path ca;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "PEM file of the certificate to show to the hub (HARMOVELA_CERT)")
    private @Nullable Path cert;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "PEM file of that certificate's key (HARMOVELA_KEY)")
    private @Nullable Path key;

    @Option(names = "--data", paramLabel = "DIR", scope = ScopeType.INHERIT, description = "data directory of the hub")
    private @Nullable String data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "configuration file (HARMOVELA_CONFIG)")
    private @Nullable Path config;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            description = "error, warn, info or debug, on standard error")
    private @Nullable String logLevel;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "one JSON object {ok, data|error} on standard output")
    private boolean json;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "show where an error came from")
    private boolean debug;

    private final Console console;
    private final Map<String, String> environment;

    Root(Console console, Map<String, String> environment) {
        this.console = console;
        this.environment = environment;
    }

    /** No command was named: show what there is. */
    @Override
    public void run() {
        console.line(spec.commandLine().getUsageMessage().stripTrailing());
    }

    /** The console, speaking as the options say. */
    Console console() {
        if (json) {
            console.speakJson();
        }
        if (debug) {
            console.showTraces();
        }
        return console;
    }

    /** The configuration with {@code more} on top of the options that every command has. */
    LoadedConfig load(Map<String, String> more) throws Failure {
        Map<String, String> options = new HashMap<>(more);
        put(options, "host", host);
        put(options, "port", port);
        put(options, "data", data);
        put(options, "log_level", logLevel);
        try {
            LoadedConfig loaded =
                    ConfigLoader.load(new ConfigLoader.Sources(Path.of(""), environment, config, options));
            loaded.warnings().forEach(console()::note);
            return loaded;
        } catch (ConfigProblem problem) {
            throw Failure.of(problem);
        }
    }

    private static void put(Map<String, String> options, String name, @Nullable String value) {
        if (value != null) {
            options.put(name, value);
        }
    }

    /** Where the hub is: as said, as the data directory of a running one says, or as configured. */
    URI hub() throws Failure {
        if (url != null) {
            return address(url);
        }
        String named = environment.get("HARMOVELA_URL");
        boolean said = host != null || port != null;
        if (!said && named != null && !named.isEmpty()) {
            return address(named);
        }
        LoadedConfig loaded = load(Map.of());
        Path folder = loaded.config().data();
        RunFile running = said || folder == null ? null : RunFile.find(folder);
        if (running != null) {
            return running.url();
        }
        String name = loaded.config().listen().host();
        return loaded.config().listen().url(name, loaded.config().listen().port());
    }

    private static URI address(String text) throws Failure {
        try {
            URI uri = URI.create(text.contains("://") ? text : "http://" + text);
            if (uri.getHost() != null && uri.getScheme().matches("https?|wss?")) {
                return uri;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // told below
        }
        throw Failure.usage("'" + text + "' is no address of a hub.", "Write it as http://127.0.0.1:8787.");
    }

    /**
     * The bearer token to show, or null: as said, or, where the hub of the data directory is meant, its admin token.
     * No other hub is ever shown that one.
     */
    @Nullable String token() throws Failure {
        String said = token == null ? environment.get("HARMOVELA_TOKEN") : token;
        if (said != null && !said.isEmpty()) {
            return said;
        }
        Path folder = load(Map.of()).config().data();
        RunFile running = folder == null ? null : RunFile.find(folder);
        if (folder == null || running == null) {
            return null;
        }
        boolean meant = running.url().getAuthority().equals(hub().getAuthority());
        return meant ? SecurityStore.adminSecret(folder) : null;
    }

    /** Whom to believe and what to show over TLS; null for what the platform believes. */
    @Nullable SSLContext tls() throws Failure {
        Path authority = file(ca, "HARMOVELA_CA");
        Path own = file(cert, "HARMOVELA_CERT");
        Path secret = file(key, "HARMOVELA_KEY");
        if ((own == null) != (secret == null)) {
            throw Failure.usage("--cert and --key go together.", "Name both PEM files, or none.");
        }
        if (authority == null && own == null) {
            return null;
        }
        try {
            return new TlsFiles(own, secret, authority).load().context();
        } catch (IOException unusable) {
            throw Failure.usage(
                    "TLS cannot be spoken: " + unusable.getMessage() + ".", "Look at --ca, --cert and --key.");
        }
    }

    private @Nullable Path file(@Nullable Path said, String variable) {
        String named = environment.get(variable);
        return said != null || named == null || named.isEmpty() ? said : Path.of(named);
    }

    /** The HTTP interface of the hub. */
    Api api() throws Failure {
        URI hub = hub();
        return new Api(hub, new HttpApi(hub, token(), PATIENCE, tls()));
    }
}
