package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.a2a.check.Outcome;
import dev.harmovela.conformance.a2a.echo.EchoEndpoint;
import dev.harmovela.conformance.a2a.wire.Credentials;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs the kit against the echo endpoint with these faults. */
final class Judged {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private Judged() {}

    static SuiteOptions.Settings settings() {
        return new SuiteOptions.Settings("9.9.9", TIMEOUT, Map.of(), KnownGaps.NONE, false, title -> {});
    }

    static A2aReport by(String profile, String... faults) throws IOException {
        try (EchoEndpoint endpoint = EchoEndpoint.with(faults)) {
            SuiteOptions options = SuiteOptions.of(endpoint.url())
                    .withSelection(new Selection(profile, false, null, true))
                    .withSettings(settings());
            boolean login = List.of(faults).contains("login");
            return new ConformanceSuite()
                    .run(login ? options.withCredentials(Credentials.NONE.withBearer(EchoEndpoint.TOKEN)) : options);
        }
    }

    static RowResult row(A2aReport report, String id) {
        return report.rows().stream()
                .filter(one -> one.row().id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + id));
    }

    /** The rows that are not as they should be; gRPC aside where the endpoint does not have it. */
    static List<String> broken(A2aReport report) {
        return report.rows().stream()
                .filter(one ->
                        !one.fine() && (offersGrpc(report) || !one.row().id().equals("binding.grpc")))
                .map(one -> one.row().id())
                .toList();
    }

    private static boolean offersGrpc(A2aReport report) {
        return report.rows().stream()
                .filter(one -> one.row().id().equals("binding.grpc"))
                .anyMatch(one ->
                        one.count(Outcome.Status.NOT_APPLICABLE) < one.checks().size());
    }
}
