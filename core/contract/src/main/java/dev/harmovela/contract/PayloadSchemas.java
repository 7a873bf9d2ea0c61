package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import dev.harmovela.contract.json.JsonScanner;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The payload schemas of a registry, compiled when a type is first seen. */
final class PayloadSchemas {

    private final EventRegistry registry;
    private final @Nullable PayloadSchema[] compiled;
    private final JsonScanner scanner = new JsonScanner(JsonScanner.DEPTH_LIMIT);

    PayloadSchemas(EventRegistry registry) {
        this.registry = registry;
        this.compiled = new PayloadSchema[registry.size()];
    }

    /** What the schema of the type has against the payload that was scanned, or null. */
    @Nullable ProtocolError problem(EventType type, EnvelopeScan scan) {
        PayloadSchema schema = compiled[type.index()];
        if (schema == null) {
            schema = load(type);
            compiled[type.index()] = schema;
        }
        if (schema.saysNothing() || schema.surelyFits(scan.payloadNotes(), scan.buffer())) {
            return null;
        }
        scanner.reset(scan.buffer(), scan.from(Field.PAYLOAD), scan.length(Field.PAYLOAD));
        try {
            return schema.problem(scanner);
        } finally {
            scanner.release();
        }
    }

    private PayloadSchema load(EventType type) {
        Json.Obj schema = type.custom() ? registry.customSchema(type) : resource("payload/" + type.name());
        return schema == null ? PayloadSchema.NOTHING : SchemaCompiler.compile(schema);
    }

    /** A schema shipped with the contract, by its name without extension; null when there is none. */
    static Json.@Nullable Obj resource(String name) {
        try (InputStream in = PayloadSchemas.class.getResourceAsStream("schema/" + name + ".schema.json")) {
            if (in == null) {
                return null;
            }
            byte[] bytes = in.readAllBytes();
            return Json.parse(bytes, 0, bytes.length) instanceof Json.Obj object ? object : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JsonException e) {
            throw new IllegalStateException("schema " + name, e);
        }
    }
}
