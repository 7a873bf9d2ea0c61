package dev.harmovela.cli;

import dev.harmovela.conformance.ConformanceRunner;
import dev.harmovela.conformance.Exchange;
import dev.harmovela.conformance.Options;
import dev.harmovela.conformance.Report;
import dev.harmovela.conformance.ReportWriter;
import dev.harmovela.conformance.Target;
import dev.harmovela.conformance.Targets;
import dev.harmovela.conformance.UnreachableException;
import dev.harmovela.conformance.UsageException;
import dev.harmovela.runtime.InProcessHub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges a hub by the conformance suite. */
@Command(
        name = "conformance",
        subcommands = MatrixCommand.class,
        description = {
            "Run the conformance suite against this hub, or any other.",
            "TARGET: self (this program, in process), stdio:COMMAND, ws://HOST:PORT/harmovela,",
            "grpc://HOST:PORT, or http://HOST:PORT/harmovela/events for server-sent events."
        },
        footer = {
            "",
            "Examples: harmovela conformance --profile=delivery --json",
            "          harmovela conformance --target \"stdio:./harmovela stdio\" --level C1"
        })
final class ConformanceCommand extends HubCommand {

    private static final String SELF = "self";
    private static final String A2A_PREFIX = "a2a";

    @Parameters(paramLabel = "TARGET", arity = "0..1", description = "whom to judge (default: self)")
    private @Nullable String positional;

    @Option(
            names = {"-t", "--target"},
            paramLabel = "TARGET",
            description = "the same as an option")
    private @Nullable String target;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "core, delivery, … or a full identifier (default: all)")
    private @Nullable String profile;

    @Option(names = "--level", paramLabel = "LEVEL", description = "C0 to C3 (default: the suite's)")
    private @Nullable String level;

    @Option(names = "--manifest", paramLabel = "FILE", description = "another suite in the same format")
    private @Nullable Path manifest;

    @Option(names = "--deep", description = "with --profile: also the profile's own deeper fixtures")
    private boolean deep;

    @Option(names = "--junit", paramLabel = "FILE", description = "write a JUnit report")
    private @Nullable Path junit;

    @Option(names = "--report", paramLabel = "FILE", description = "write the evidence as JSON")
    private @Nullable Path evidence;

    @Option(
            names = "--implementation",
            paramLabel = "NAME@VERSION",
            description = "who is judged (default: what the target says)")
    private @Nullable String implementation;

    @Option(names = "--bearer-token", paramLabel = "TOKEN", description = "credential; never shown (HARMOVELA_TOKEN)")
    private @Nullable String bearer;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "further header; never shown")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Override
    int run() throws Failure {
        String named = named();
        if (profile != null && isA2a(profile)) {
            throw Failure.usage(
                    profile + " is a profile of the A2A protocol, which this suite does not judge.",
                    "The kit for it is ./a2amesh conformance URL.");
        }
        try (InProcessHub self = named.equals(SELF) ? InProcessHub.start() : null;
                Target judged = self == null ? Targets.parse(named, credentials(), root().tls()) : inProcess(self)) {
            Options options = Options.all(judged)
                    .withManifest(manifest)
                    .withProfile(profile)
                    .withLevel(level)
                    .withDepth(deep ? Options.Depth.DEEP : Options.Depth.SUITE)
                    .withImplementation(implementation());
            Report report = new ConformanceRunner().run(options);
            write(junit, ReportWriter.junit(report));
            write(evidence, ReportWriter.evidence(report) + "\n");
            console()
                    .line((console().isJson() ? ReportWriter.json(report) : ReportWriter.table(report))
                            .stripTrailing());
            return report.exitCode();
        } catch (UnreachableException silent) {
            throw new Failure(
                    ExitCodes.NOT_REACHABLE,
                    "not_reachable",
                    "The target " + named + " cannot be reached: " + silent.getMessage() + ".",
                    "Start it, or judge this program itself with --target self.");
        }
    }

    private String named() throws Failure {
        if (positional != null && target != null && !positional.equals(target)) {
            throw Failure.usage("Two targets are named.", "Name one, by itself or with --target.");
        }
        String named = positional == null ? target : positional;
        return named == null ? SELF : named;
    }

    private static boolean isA2a(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith(A2A_PREFIX) || lower.contains("official-a2a") || lower.contains("-a2a-");
    }

    private Map<String, String> credentials() throws Failure {
        Map<String, String> all = new LinkedHashMap<>(headers);
        String token = bearer == null ? root().token() : bearer;
        if (token != null) {
            all.put("Authorization", "Bearer " + token);
        }
        return all;
    }

    /** Who is judged as the command line has it; else the target says so itself. */
    private Options.Implementation implementation() {
        if (implementation == null) {
            return Options.Implementation.UNKNOWN;
        }
        int at = implementation.lastIndexOf('@');
        return at < 0
                ? new Options.Implementation(implementation, "unknown")
                : new Options.Implementation(implementation.substring(0, at), implementation.substring(at + 1));
    }

    private static Target inProcess(InProcessHub hub) {
        return Target.inProcess(SELF, () -> exchange(hub));
    }

    private static Exchange exchange(InProcessHub hub) {
        return new SelfExchange(hub);
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

    /** Turns a usage problem of the kit into one of the command line. */
    static Failure usage(UsageException wrong) {
        return Failure.usage(sentence(String.valueOf(wrong.getMessage())), "harmovela conformance --help shows more.");
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
