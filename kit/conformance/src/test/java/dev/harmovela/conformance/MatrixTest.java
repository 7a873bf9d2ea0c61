package dev.harmovela.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.harmovela.conformance.matrix.Cell;
import dev.harmovela.conformance.matrix.Column;
import dev.harmovela.conformance.matrix.Matrix;
import dev.harmovela.conformance.matrix.MatrixPages;
import dev.harmovela.conformance.matrix.MatrixRun;
import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MatrixTest {

    private static final UnaryOperator<Json.Obj> DEAF = event ->
            "event.acknowledged".equals(event.string("type")) ? event.with("type", Json.of("event.rejected")) : event;

    private static Column parrot(String name, UnaryOperator<Json.Obj> change) {
        return Column.of(name, "in-process", "self", () -> ParrotHub.target(Suites.all(), change));
    }

    private static Matrix run(Column... columns) {
        return new MatrixRun(null, _ -> {}).run(List.of(columns));
    }

    private static Matrix run() {
        return run(
                parrot("good", UnaryOperator.identity()),
                Column.notRun("none", Profiles.TRANSPORT_KAFKA, "no <server> here"),
                Column.of(
                        "silent",
                        Profiles.TRANSPORT_WEBSOCKET,
                        "ws://127.0.0.1:1/x",
                        () -> Targets.parse("ws://127.0.0.1:1/x", java.util.Map.of())));
    }

    @Test
    @DisplayName("what was not run has cells of its own that say so, and never count as passed")
    void notRun() {
        Matrix matrix = run();
        assertThat(matrix.cells())
                .hasSize(3
                        * (int) matrix.cells().stream()
                                .filter(c -> c.target().equals("good"))
                                .count());
        assertThat(matrix.cells())
                .filteredOn(cell -> !cell.target().equals("good"))
                .allMatch(cell -> cell.status() == Cell.Status.NOT_RUN && cell.reason() != null);
        assertThat(matrix.cells())
                .filteredOn(cell -> cell.target().equals("good"))
                .allMatch(cell -> cell.status() == Cell.Status.PASS);
        assertThat(MatrixPages.markdown(matrix)).contains("NOT RUN", "* none: not run, no <server> here");
        assertThat(MatrixPages.html(matrix)).contains("no &lt;server&gt; here").doesNotContain("<server>");
    }

    @Test
    @DisplayName("the file is valid by its schema and reads back as what it was")
    void file() throws IOException {
        Matrix matrix = run();
        String schema;
        try (InputStream in = MatrixRun.class.getResourceAsStream("matrix.schema.json")) {
            schema = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(schema)
                        .validate(matrix.toJson().toString(), InputFormat.JSON))
                .isEmpty();
        Matrix again = Matrix.parse(matrix.toJson().toString());
        assertThat(again.toJson()).isEqualTo(matrix.toJson());
        assertThatThrownBy(() -> Matrix.parse("{}")).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> Matrix.parse("no")).isInstanceOf(UsageException.class);
    }

    @Test
    @DisplayName("the same behaviour differs in nothing, another one in its verdicts and transcripts")
    void differences() {
        Matrix before = run(parrot("x", UnaryOperator.identity()));
        assertThat(before.differences(run(parrot("x", UnaryOperator.identity()))))
                .isEmpty();
        assertThat(before.passed()).isTrue();
        Matrix worse = run(parrot("x", DEAF));
        assertThat(worse.passed()).isFalse();
        assertThat(before.differences(worse)).anyMatch(one -> one.startsWith("x / core was pass and is fail"));
        assertThat(before.differences(run(parrot("y", UnaryOperator.identity()))))
                .anyMatch(one -> one.endsWith("was not run again"))
                .anyMatch(one -> one.endsWith("is new"));
        UnaryOperator<Json.Obj> talkative = event -> event.with("note", Json.of("hello"));
        assertThat(before.differences(run(parrot("x", talkative))))
                .isNotEmpty()
                .allMatch(one -> one.endsWith("has another transcript"));
    }
}
