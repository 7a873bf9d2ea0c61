package dev.harmovela.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What can be known of the measurements without measuring. */
class BenchTest {

    private static final Machine MACHINE = new Machine("2026-01-01", 2, "24 GiB", "Linux", "ext4", "25", "r", "n", 0.1);

    @Test
    void theSampleIsAValidEventOfItsSize() {
        byte[] bytes = new Sample("agent:publisher").numbered(123_456_789_012L);
        EventReader reader = new EventReader(EventRegistry.standard(), Limits.DEFAULT);

        assertThat(bytes).hasSize(Sample.BYTES);
        assertThat(reader.read(bytes, 0, bytes.length)).isInstanceOf(EventReader.Read.Ok.class);
    }

    @Test
    void theNumberOfAnEventIsReadBackFromItsId() {
        byte[] id = new byte[Sample.blankId().length()];
        System.arraycopy(Sample.blankId().getBytes(StandardCharsets.US_ASCII), 0, id, 0, id.length);
        Sample.digits(id, Sample.digitsOfId(0), 4711);

        assertThat(Sample.number(id, 0)).isEqualTo(4711);
        id[id.length - 1] = 'x';
        assertThat(Sample.number(id, 0)).isEqualTo(-1);
    }

    @Test
    void textIsFoundAtTheHintAndElsewhere() {
        byte[] text = "aaa:x:y:x".getBytes(StandardCharsets.US_ASCII);
        byte[] wanted = ":x".getBytes(StandardCharsets.US_ASCII);

        assertThat(Sample.find(text, 0, text.length, wanted, 7)).isEqualTo(7);
        assertThat(Sample.find(text, 0, text.length, wanted, 6)).isEqualTo(3);
        assertThat(Sample.find(text, 4, 8, wanted, -1)).isEqualTo(-1);
    }

    @Test
    void rowsAreChosenByTheirNameOrTheirFirstWord() {
        assertThat(Row.named(Set.of())).hasSize(Row.values().length);
        assertThat(Row.named(Set.of("publish"))).containsExactly(Row.PUBLISH_W1, Row.PUBLISH_W64, Row.PUBLISH_W1024);
        assertThat(Row.named(Set.of("consume4-w1", "replay"))).containsExactly(Row.CONSUME4_W1, Row.REPLAY);
        assertThat(Row.named(Set.of("publish", "nonsense"))).isEmpty();
    }

    @Test
    void aMissingPeerLeavesTheRatioOpen() {
        Results results = results(Map.of(
                Contender.HUB,
                measured(200_000, 4, 100),
                Contender.REDIS_ALWAYS,
                measured(80_000, 8, 120),
                Contender.NATS_ALWAYS,
                new Outcome.NotRun("no nats-server")));

        assertThat(results.ratio(Row.PUBLISH_W1024, Contender.REDIS_ALWAYS)).isEqualTo(2.5);
        List<Goal> goals = Goal.of(results);
        assertThat(goals.get(0).verdict()).isEqualTo("met");
        assertThat(goals.get(1).verdict()).isEqualTo("not run");
        assertThat(new Report(results).markdown("p.svg")).contains("NOT RUN: no nats-server");
        assertThat(new Report(results).json().toString()).contains("\"not_run\":\"no nats-server\"");
    }

    @Test
    void theDocumentCanBeReadByPrograms() {
        Results results = results(Map.of(Contender.HUB, measured(200_000, 4, 100)));
        results.figures().put(Row.VERSION, List.of(Figure.atMost("start", 0.4, "s", 0.3)));

        Json.Obj read = (Json.Obj) Json.parse(new Report(results).json().toString());

        assertThat(read.names()).contains("rows", "hub_alone", "goals", "load_before");
        assertThat(new Report(results).text()).contains("missed");
        assertThat(new Plot(results).svg()).contains("200,000");
    }

    @Test
    void theMedianOfRunsIsTakenFigureByFigure() {
        Run median = Run.median(List.of(
                new Run(10, 300, 5, 70, 9, 90), new Run(10, 100, 6, 80, 8, 95), new Run(10, 200, 4, 60, 7, 99)));

        assertThat(median).isEqualTo(new Run(30, 200, 5, 80, 8, 95));
    }

    private static Results results(Map<Contender, Outcome> outcomes) {
        Results results = new Results(MACHINE, Effort.QUICK);
        results.contests().put(Row.PUBLISH_W1024, outcomes);
        return results;
    }

    private static Outcome measured(double perSecond, double cpu, long p50) {
        return new Outcome.Measured(new Run(1000, perSecond, cpu, 200, p50, 2 * p50));
    }
}
