package dev.harmovela.cli;

import dev.harmovela.conformance.UnreachableException;
import dev.harmovela.conformance.UsageException;
import dev.harmovela.conformance.a2a.A2aReport;
import dev.harmovela.conformance.a2a.ConformanceSuite;
import dev.harmovela.conformance.a2a.KnownGaps;
import dev.harmovela.conformance.a2a.ReportHtml;
import dev.harmovela.conformance.a2a.ReportJson;
import dev.harmovela.conformance.a2a.ReportText;
import dev.harmovela.conformance.a2a.Selection;
import dev.harmovela.conformance.a2a.SuiteOptions;
import dev.harmovela.conformance.a2a.wire.AddressGuard;
import dev.harmovela.conformance.a2a.wire.NetworkWire;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.Version;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges an A2A agent, row by row. */
@Command(
        name = "conformance",
        description = {
            "Show, row by row, which A2A an agent speaks. Also exits with 4: only another dialect answers.",
            "With --json the report is printed as it is."
        },
        footer = {"", "Example: a2amesh conformance http://127.0.0.1:3000 --profile official-a2a-v1.0 --strict --json"})
final class A2aConformance extends HubCommand {

    private static final String LIKE = "It is written as http://127.0.0.1:3000.";

    @Parameters(paramLabel = "URL", description = "whom to judge; its card is looked for there")
    private String url = "";

    @Option(names = "--profile", paramLabel = "ID", description = "official-a2a-v1.0 (default), legacy-a2amesh, …")
    private @Nullable String profile;

    @Option(names = "--strict", description = "hold it to the strict official profile")
    private boolean strict;

    @Option(names = "--protocol-version", paramLabel = "VERSION", description = "1.0 (default) or 1.2")
    private @Nullable String protocolVersion;

    @Option(names = "--experimental-profiles", description = "allow profiles of unreleased versions")
    private boolean experimental;

    @Option(names = "--gate", description = "judge the local gate: strict official 1.0")
    private boolean gate;

    @Option(names = "--junit", paramLabel = "FILE", description = "write a JUnit report")
    private @Nullable Path junit;

    @Option(names = "--html", paramLabel = "FILE", description = "write a page to look at")
    private @Nullable Path html;

    @Option(names = "--known-gaps", paramLabel = "FILE", description = "{ROW: {trackedBy, notes}} as JSON")
    private @Nullable Path knownGaps;

    @Mixin
    private A2aAccess access;

    @Override
    int run() throws Failure {
        URI endpoint = endpoint();
        Selection selection = new Selection(profile, strict || gate, protocolVersion, experimental);
        try {
            selection.resolve();
            SuiteOptions options = SuiteOptions.of(endpoint)
                    .withSelection(selection)
                    .withCredentials(access.credentials())
                    .withSettings(settings());
            AddressGuard guard = AddressGuard.forEndpoint(endpoint, access.privateNetwork());
            if (!guard.admits(endpoint)) {
                throw new UsageException(endpoint + " is in a private network; --allow-private-network opens those");
            }
            try (NetworkWire wire = access.wire(guard)) {
                return told(new ConformanceSuite().run(options.withClient(wire)));
            }
        } catch (UsageException wrong) {
            throw Failure.usage(sentence(wrong.getMessage()), "a2amesh conformance --help shows what there is.")
                    .at(endpoint);
        } catch (UnreachableException silent) {
            throw new Failure(
                            ExitCodes.NOT_REACHABLE,
                            "not_reachable",
                            "No agent answers at " + endpoint + ".",
                            "Start it, or look at the address. " + LIKE)
                    .at(endpoint);
        }
    }

    private int told(A2aReport report) throws Failure {
        Json.Obj json = ReportJson.of(report);
        write(junit, ReportText.junit(report));
        write(html, ReportHtml.page(json));
        console()
                .line(
                        console().isJson()
                                ? json.toString()
                                : ReportText.table(report).stripTrailing());
        return report.exitCode();
    }

    private URI endpoint() throws Failure {
        try {
            URI uri = URI.create(url.contains("://") ? url : "http://" + url);
            if (uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getScheme().matches("https?")) {
                return uri;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // told below
        }
        throw Failure.usage("That is no address of an A2A agent.", LIKE);
    }

    private SuiteOptions.Settings settings() throws Failure {
        return new SuiteOptions.Settings(
                Version.NUMBER, Duration.ofMillis(access.timeoutMillis()), access.shown(), gaps(), gate, progress());
    }

    private KnownGaps gaps() throws Failure {
        if (knownGaps == null) {
            return KnownGaps.NONE;
        }
        try {
            return KnownGaps.parse(Files.readString(knownGaps));
        } catch (IOException unreadable) {
            throw Failure.usage("The file " + knownGaps + " cannot be read.", "It is named by --known-gaps.");
        }
    }

    /** The title of the check that is asked, on a terminal only. */
    private Consumer<String> progress() {
        java.io.Console terminal = System.console();
        if (terminal == null || !terminal.isTerminal() || console().isJson()) {
            return title -> {};
        }
        return title -> {
            console().err().print("\r\033[K" + (title.isEmpty() ? "" : "… " + title));
            console().err().flush();
        };
    }

    private static void write(@Nullable Path file, String content) throws Failure {
        if (file != null) {
            try {
                Files.writeString(file, content);
            } catch (IOException failed) {
                throw Failure.failed("io_error", "The file " + file + " cannot be written: " + failed + ".", null);
            }
        }
    }

    private static String sentence(@Nullable String text) {
        return text + (text != null && text.endsWith(".") ? "" : ".");
    }
}
