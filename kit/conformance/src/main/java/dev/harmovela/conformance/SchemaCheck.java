package dev.harmovela.conformance;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Holds events against the JSON Schemas of the contract, by a validator that no hub of ours uses. */
final class SchemaCheck {

    private static final String PLACE = "/dev/harmovela/contract/schema/";
    private static final String NAME = "urn:harmovela:schema:0.2:";
    private static final Set<String> HANDSHAKE =
            Set.of("session.open", "session.opened", "session.ready", "session.error", "session.closed");

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(SchemaCheck::named));
    private final Map<String, Optional<Schema>> schemas = new HashMap<>();

    /** What is wrong with a line; empty when nothing is. */
    Optional<String> problem(SentLine line) {
        Json.Obj event = line.event();
        if (event == null) {
            return Optional.of("it is no sound JSON object");
        }
        String type = line.type();
        if (type != null && HANDSHAKE.contains(type) && !event.has("spec_version")) {
            return Optional.empty();
        }
        Optional<String> envelope = violation("envelope", line.text());
        if (envelope.isPresent()) {
            return envelope;
        }
        if (type == null || EventRegistry.standard().find(type) == null) {
            return Optional.of("its type is not registered");
        }
        Json payload = event.get("payload");
        String text = payload == null ? "{}" : payload.toString();
        return violation("payload/" + type, text);
    }

    private Optional<String> violation(String name, String text) {
        Optional<Schema> schema = schemas.computeIfAbsent(name, this::load);
        if (schema.isEmpty()) {
            return Optional.empty();
        }
        List<Error> errors = schema.get().validate(text, InputFormat.JSON);
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of("it breaks the schema " + name + ": "
                        + errors.getFirst().getMessage());
    }

    private Optional<Schema> load(String name) {
        String text = text(name);
        return text == null ? Optional.empty() : Optional.of(registry.getSchema(text));
    }

    /** The schema that another one refers to by its name, {@code urn:harmovela:schema:0.2:subscription-filter}. */
    private static @Nullable String named(String name) {
        return name.startsWith(NAME) ? text(name.substring(NAME.length()).replace(':', '/')) : null;
    }

    private static @Nullable String text(String name) {
        try (InputStream in = EventRegistry.class.getResourceAsStream(PLACE + name + ".schema.json")) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
