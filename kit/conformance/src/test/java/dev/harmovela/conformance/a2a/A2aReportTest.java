package dev.harmovela.conformance.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.harmovela.conformance.UnreachableException;
import dev.harmovela.conformance.a2a.echo.EchoEndpoint;
import dev.harmovela.conformance.a2a.wire.Credentials;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Reports: their shape, what they say, and what they never say (A2A_08, A2A_11, CLI_06). */
class A2aReportTest {

    private static final KnownGaps GAPS = KnownGaps.parse(
            "{\"binding.grpc\":{\"trackedBy\":\"#7\",\"notes\":\"comes later\",\"status\":\"unsupported\"}}");

    private static void sound(Json.Obj report) {
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(ReportJson.schema())
                        .validate(report.toString(), InputFormat.JSON))
                .isEmpty();
    }

    private static SuiteOptions options(EchoEndpoint endpoint, KnownGaps gaps, boolean gate) {
        Map<String, String> headers = Map.of("X-Request-Id", "r1");
        return SuiteOptions.of(endpoint.url())
                .withSettings(
                        new SuiteOptions.Settings("9.9.9", Duration.ofSeconds(5), headers, gaps, gate, title -> {}));
    }

    private static Json.Obj object(Json.Obj of, String name) {
        return Objects.requireNonNull(of.object(name));
    }

    @Test
    void theReportHasItsPublishedShapeAndSaysWhatWasDeclared() throws IOException {
        try (EchoEndpoint endpoint = EchoEndpoint.with("release-1.0.0")) {
            A2aReport report = new ConformanceSuite().run(options(endpoint, GAPS, true));
            Json.Obj json = ReportJson.of(report);
            sound(json);
            assertThat(report.exitCode()).isZero();
            assertThat(json.string("specRelease")).isEqualTo("1.0.1");
            assertThat(object(object(json, "profile"), "coverage").toString())
                    .isEqualTo("{\"total\":13,\"supported\":12,\"partial\":0,\"legacyAlias\":0,\"unsupported\":1,"
                            + "\"requiredUnsupported\":0}");
            assertThat(object(json, "localGate").bool("passed")).isTrue();
            assertThat(json.toString())
                    .contains("\"trackedBy\":\"#7\"", "\"declared\":\"unsupported\"", "comes later")
                    .contains("TASK_NOT_CANCELABLE: HTTP 409 FAILED_PRECONDITION, as in 1.0.0");
            assertThat(ReportText.table(report)).contains("12 of 13 rows hold", "Conformant.");
            assertThat(Objects.requireNonNull(Badge.of(json)).markdown())
                    .isEqualTo("**official-a2a-v1.0 1.0**: 12 of 13 rows, all that is required");
            assertThat(ReportHtml.page(json)).contains(report.profile().id()).doesNotContain("{{report}}");
        }
    }

    @Test
    void aSkipIsNoPassAnywhere() throws IOException {
        A2aReport report = Judged.by(Profiles.OFFICIAL);
        String junit = ReportText.junit(report);
        assertThat(junit).contains("<testsuite name=\"a2amesh-conformance\" tests=\"8\" failures=\"0\"");
        assertThat(junit).contains("skipped=\"2\"", "name=\"capability.extendedAgentCard\"", "<skipped message=");
        Json.Obj json = ReportJson.of(report);
        assertThat(object(json, "summary").integer("passed")).isEqualTo(6);
        assertThat(json.array("skippedCapabilities").items())
                .extracting(one -> ((Json.Obj) one).string("capability"))
                .containsExactly("stateTransitionHistory", "extendedAgentCard");
    }

    @Test
    void onlyAnotherDialectAnswers() throws IOException {
        A2aReport official = Judged.by(Profiles.OFFICIAL, "mesh-only");
        assertThat(official.exitCode()).isEqualTo(4);
        assertThat(official.fits()).isEqualTo(Profiles.LEGACY);
        assertThat(Judged.row(official, "binding.jsonrpc-message-send").status())
                .isEqualTo(RowStatus.LEGACY_ALIAS);
        assertThat(official.count(RowStatus.SUPPORTED)).isZero();
        sound(ReportJson.of(official));
        A2aReport legacy = Judged.by(Profiles.LEGACY, "no-mesh");
        assertThat(legacy.exitCode()).isEqualTo(4);
        assertThat(legacy.fits()).isEqualTo(Profiles.OFFICIAL);
        A2aReport next = Judged.by(Profiles.EXPERIMENTAL, "official-only");
        assertThat(next.fits()).isEqualTo(Profiles.OFFICIAL);
    }

    @Test
    void everyProfileHoldsWhereItShould() throws IOException {
        A2aReport legacy = Judged.by(Profiles.LEGACY);
        assertThat(legacy.count(RowStatus.LEGACY_ALIAS)).isEqualTo(3);
        assertThat(legacy.exitCode()).isZero();
        sound(ReportJson.of(legacy));
        A2aReport experimental = Judged.by(Profiles.EXPERIMENTAL);
        assertThat(Judged.broken(experimental))
                .as(ReportText.table(experimental))
                .isEmpty();
        assertThat(experimental.exitCode()).isZero();
    }

    @Test
    void reachableWithoutACardIsAFailure() throws IOException {
        A2aReport report = Judged.by(Profiles.OFFICIAL, "no-card", "no-mesh");
        assertThat(report.exitCode()).isEqualTo(1);
        assertThat(report.requiredFailed()).isGreaterThan(0);
        assertThat(report.count(RowStatus.UNSUPPORTED)).isEqualTo(13);
        sound(ReportJson.of(report));
    }

    @Test
    void nobodyAnswers() throws IOException {
        URI gone;
        try (EchoEndpoint endpoint = EchoEndpoint.with()) {
            gone = endpoint.url();
        }
        SuiteOptions options = SuiteOptions.of(gone).withSettings(Judged.settings());
        assertThatThrownBy(() -> new ConformanceSuite().run(options)).isInstanceOf(UnreachableException.class);
    }

    @Test
    void secretsAreNeverShownEvenWhenTheEndpointRepeatsThem() throws IOException {
        A2aReport report = Judged.by(Profiles.OFFICIAL, "login", "security.echo");
        String all = ReportJson.of(report) + ReportText.table(report) + ReportText.junit(report);
        assertThat(all).doesNotContain(EchoEndpoint.TOKEN);
        assertThat(Judged.row(report, "security.auth-observability").notes()).contains("security.secrets");
    }

    @Test
    void aKitThatCannotLogInSaysWhatIsMissing() throws IOException {
        try (EchoEndpoint endpoint = EchoEndpoint.with("login")) {
            A2aReport report = new ConformanceSuite().run(options(endpoint, KnownGaps.NONE, false));
            assertThat(report.exitCode()).isEqualTo(1);
            RowResult security = Judged.row(report, "security.auth-observability");
            assertThat(security.status()).isEqualTo(RowStatus.PARTIAL);
            assertThat(security.notes()).contains("--bearer-token");
        }
    }

    @Test
    void tokensAreFetchedWhereTheCardSaysAndKeysGoWhereItSays() throws IOException {
        Credentials.Named client = new Credentials.Named("kit", "kit-client-secret");
        Credentials.Named key = new Credentials.Named("key", EchoEndpoint.TOKEN);
        for (String way : List.of("oauth", "key-in-query")) {
            try (EchoEndpoint endpoint = EchoEndpoint.with("login", way)) {
                Credentials credentials = way.equals("oauth")
                        ? new Credentials(Map.of(), null, null, client)
                        : new Credentials(Map.of(), null, key, null);
                A2aReport report = new ConformanceSuite()
                        .run(options(endpoint, KnownGaps.NONE, false).withCredentials(credentials));
                assertThat(Judged.broken(report))
                        .as(way + ReportText.table(report))
                        .isEmpty();
                assertThat(ReportJson.of(report).toString()).doesNotContain("kit-client-secret", EchoEndpoint.TOKEN);
            }
        }
    }

    @Test
    void credentialsDoNotShowThemselves() {
        Credentials credentials = new Credentials(
                Map.of("X-More", "more-secret"), null, new Credentials.Named("X-Key", "key-secret"), null);
        assertThat(credentials.asHeaders()).containsEntry("X-Key", "key-secret").containsEntry("X-More", "more-secret");
        assertThat(credentials.toString()).doesNotContain("secret");
        assertThat(List.of("a key-secret here"))
                .allSatisfy(text -> assertThat(credentials.secrets().hide(text)).isEqualTo("a *** here"));
    }
}
