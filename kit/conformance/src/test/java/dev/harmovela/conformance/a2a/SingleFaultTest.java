package dev.harmovela.conformance.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kit against an endpoint with one fault: exactly the row that is about it turns (A2A_01 to A2A_15, PSH, STR). */
class SingleFaultTest {

    private static final int AT_ONCE = 6;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no-push",
                "no-streaming",
                "required-extension",
                "login,extended",
                "plain-json",
                "grpc",
                "grpc,login"
            })
    void anEndpointWithoutFaultsIsSupportedInEveryRow(String offers) throws IOException {
        A2aReport report = Judged.by(Profiles.OFFICIAL, offers.isEmpty() ? new String[0] : offers.split(","));
        assertThat(Judged.broken(report)).as(ReportText.table(report)).isEmpty();
        assertThat(report.exitCode()).isZero();
        RowResult grpc = Judged.row(report, "binding.grpc");
        boolean offered = offers.startsWith("grpc");
        assertThat(grpc.status()).isEqualTo(offered ? RowStatus.SUPPORTED : RowStatus.UNSUPPORTED);
        assertThat(grpc.trackedBy()).isEqualTo(offered ? null : "untracked");
    }

    @TestFactory
    Stream<DynamicTest> oneFaultOfEachRow() {
        return tests(SingleFault.ONE_OF_EACH);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> everyOtherFault() {
        assertThat(SingleFault.MORE.size() + SingleFault.ONE_OF_EACH.size()).isGreaterThanOrEqualTo(40);
        return tests(SingleFault.MORE);
    }

    /** Most of a run is waiting, so several go on at once. */
    private static Stream<DynamicTest> tests(List<SingleFault> faults) {
        ExecutorService runs = Executors.newFixedThreadPool(AT_ONCE);
        Map<SingleFault, Future<A2aReport>> reports = new LinkedHashMap<>();
        for (SingleFault each : faults) {
            reports.put(
                    each,
                    runs.submit(() -> Judged.by(each.profile(), each.switches().toArray(String[]::new))));
        }
        runs.shutdown();
        return reports.entrySet().stream()
                .map(one ->
                        DynamicTest.dynamicTest(one.getKey().toString(), () -> turns(one.getKey(), one.getValue())));
    }

    private static void turns(SingleFault fault, Future<A2aReport> coming)
            throws InterruptedException, ExecutionException {
        A2aReport report = coming.get();
        assertThat(Judged.broken(report)).as(ReportText.table(report)).containsExactly(fault.row());
        RowResult row = Judged.row(report, fault.row());
        assertThat(row.notes()).isNotNull();
        boolean strict = report.profile().strict() && row.row().required();
        assertThat(report.exitCode()).isEqualTo(strict || report.requiredFailed() > 0 ? 1 : 0);
    }
}
