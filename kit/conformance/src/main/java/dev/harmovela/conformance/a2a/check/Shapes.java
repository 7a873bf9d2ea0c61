package dev.harmovela.conformance.a2a.check;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Holds values against the data model of A2A 1.0, {@code a2a-v1.schema.json}. Any thread. */
final class Shapes {

    private static final String PLACE = "/dev/harmovela/conformance/a2a/a2a-v1.schema.json";

    /** The one model; its schemas are read when they are first needed. */
    static final Shapes V1 = new Shapes();

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Json.Obj model = load();
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private Shapes() {}

    /** What is wrong with a value of that type, such as {@code Task}; empty when nothing is. */
    Optional<String> problem(String type, Json value) {
        Schema schema = schemas.computeIfAbsent(type, this::schema);
        List<Error> errors = schema.validate(value.toString(), InputFormat.JSON);
        return errors.isEmpty() ? Optional.empty() : Optional.of("no " + type + ": " + text(errors.getFirst()));
    }

    private static String text(Error error) {
        return (error.getInstanceLocation() + " " + error.getMessage()).strip();
    }

    private Schema schema(String type) {
        return registry.getSchema(
                model.without("$id").with("$ref", Json.of("#/$defs/" + type)).toString());
    }

    private static Json.Obj load() {
        try (InputStream in = Shapes.class.getResourceAsStream(PLACE)) {
            if (in != null
                    && Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)) instanceof Json.Obj all) {
                return all;
            }
            throw new IllegalStateException(PLACE + " is missing");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
