package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ReportWriterTest {

    private static final String NASTY = "line 1 \"<&>\" \u0001 \uD83D\uDE00 \uD800";

    private static final Report REPORT = new Report(
            new Options.Implementation("harmovela", "0.1.0"),
            new Report.Scope(null, "HARMOVELA-C3"),
            new Report.Endpoint("self", "in-process"),
            new Report.Versions("0.2", "1.0.0", "ab"),
            List.of(
                    new Report.Result(
                            "fixtures/a.ndjson",
                            "HARMOVELA-C0",
                            null,
                            Report.Status.PASS,
                            null,
                            new Report.Result.Run(1500, "target", null)),
                    new Report.Result(
                            "fixtures/b.ndjson",
                            "HARMOVELA-C1",
                            null,
                            Report.Status.FAIL,
                            NASTY,
                            Report.Result.Run.NONE),
                    new Report.Result(
                            "fixtures/c.ndjson",
                            "HARMOVELA-C2",
                            "delivery",
                            Report.Status.SKIP,
                            "belongs to the profile delivery",
                            Report.Result.Run.NONE)),
            new Report.Evidence("ab12", true));

    @Test
    @DisplayName("the JSON has one envelope, the sums and a line per fixture")
    void json() {
        Json.Obj whole = (Json.Obj) Json.parse(ReportWriter.json(REPORT).replace("\\ud800", "?"));
        assertThat(whole.bool("ok")).isFalse();
        Json.Obj data = whole.object("data");
        assertThat(data.names())
                .containsExactly(
                        "implementation",
                        "version",
                        "profile",
                        "level",
                        "target",
                        "transport_profile",
                        "topology",
                        "spec_version",
                        "suite_version",
                        "summary",
                        "transcript_sha256",
                        "fixtures");
        assertThat(data.object("summary").toString())
                .isEqualTo("{\"total\":3,\"passed\":1,\"failed\":1,\"skipped\":1}");
        assertThat(data.string("topology")).isEqualTo("harmovela.topology.hub-spoke.v1");
        assertThat(Suite.objects(data, "fixtures"))
                .extracting(one -> one.string("status"))
                .containsExactly("pass", "fail", "skip");
        assertThat(Suite.objects(data, "fixtures").getLast().toString())
                .isEqualTo("{\"path\":\"fixtures/c.ndjson\",\"level\":\"HARMOVELA-C2\",\"profile\":\"delivery\","
                        + "\"status\":\"skip\",\"reason\":\"belongs to the profile delivery\"}");
        assertThat(ReportWriter.evidence(REPORT)).startsWith("{\"implementation\":\"harmovela\"");
    }

    @Test
    @DisplayName("the JUnit report is sound XML whatever a reason contains")
    void junit() throws Exception {
        byte[] xml = ReportWriter.junit(REPORT).getBytes(StandardCharsets.UTF_8);
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(xml));
        Element suite = document.getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        assertThat(suite.getAttribute("time")).isEqualTo("1.500");
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).startsWith("line 1 \"<&>\"").contains("\uD83D\uDE00");
        Element skipped = (Element) suite.getElementsByTagName("testcase").item(2);
        assertThat(skipped.getAttribute("classname")).isEqualTo("conformance.delivery");
    }

    @Test
    @DisplayName("the table shows what failed and why, and the sums")
    void table() {
        assertThat(ReportWriter.table(REPORT).lines())
                .contains("PASS  C0  -                  fixtures/a.ndjson")
                .contains("SKIP  C2  delivery           fixtures/c.ndjson")
                .anySatisfy(line -> assertThat(line).contains("1 passed, 1 failed, 1 skipped"));
        assertThat(REPORT.exitCode()).isEqualTo(1);
    }
}
