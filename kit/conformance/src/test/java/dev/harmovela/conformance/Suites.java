package dev.harmovela.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The shipped suite and the manifests of its profiles, for tests. */
final class Suites {

    static final List<String> PROFILES = List.of(
            "core",
            "delivery",
            "security",
            "runtime-semantics",
            "coordination",
            "adaptation",
            "transport.stdio",
            "transport.websocket",
            "transport.sse",
            "transport.grpc",
            "transport.nats",
            "transport.kafka",
            "transport.redis-streams");

    private static final SuiteFiles FILES = SuiteFiles.shipped();
    private static final Map<String, List<SentLine>> LINES = new ConcurrentHashMap<>();
    private static final Suite MAIN = new SuiteReader(FILES).read("manifest.json");
    private static final List<Suite.Fixture> ALL = collect();

    private Suites() {}

    static Suite main() {
        return MAIN;
    }

    static Suite profile(String name) {
        return new SuiteReader(FILES).read("profiles/" + Selection.fullIdentifier(name) + "/manifest.json");
    }

    /** Every fixture of the suite and of its profiles, each file once. */
    static List<Suite.Fixture> all() {
        return ALL;
    }

    private static List<Suite.Fixture> collect() {
        List<Suite.Fixture> all = new ArrayList<>(main().content().fixtures());
        List<String> files =
                new ArrayList<>(all.stream().map(Suite.Fixture::file).toList());
        for (String name : PROFILES) {
            for (Suite.Fixture fixture : profile(name).content().fixtures()) {
                if (!files.contains(fixture.file())) {
                    files.add(fixture.file());
                    all.add(fixture);
                }
            }
        }
        return List.copyOf(all);
    }

    static List<SentLine> lines(Suite.Fixture fixture) {
        return LINES.computeIfAbsent(fixture.file(), Suites::read);
    }

    private static List<SentLine> read(String file) {
        try {
            return SentLine.split(FILES.read(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
