package dev.harmovela.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonScanner;
import dev.harmovela.contract.json.RandomJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.exc.JsonNodeException;

/** The schema files against a full validator, and what the reader compiles from them against the same. */
class SchemaTest {

    private static final Path FILES = Path.of("src/main/resources/dev/harmovela/contract/schema");

    private static final SchemaRegistry LIBRARY = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemas(Map.of(
                    "urn:harmovela:schema:0.2:subscription-filter",
                    text(FILES.resolve("subscription-filter.schema.json")))));

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Json.Obj file(String name) {
        return Events.object(text(FILES.resolve(name + ".schema.json")));
    }

    private static boolean libraryTakes(Json.Obj schema, Json value) {
        return takes(LIBRARY.getSchema(schema.toString(), InputFormat.JSON), value);
    }

    /** Numbers that the library cannot compare with an integer limit are beyond it. */
    private static boolean takes(Schema library, Json value) {
        try {
            return library.validate(value.toString(), InputFormat.JSON).isEmpty();
        } catch (JsonNodeException _) {
            return false;
        }
    }

    private static ProtocolError ours(PayloadSchema schema, Json value) {
        byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        JsonScanner scanner = new JsonScanner(64);
        scanner.reset(bytes, 0, bytes.length);
        return schema.problem(scanner);
    }

    @Test
    void everyTypeHasAFileAndEveryFileAType() throws IOException {
        try (Stream<Path> files = Files.list(FILES.resolve("payload"))) {
            List<String> named = files.map(file -> file.getFileName().toString().replace(".schema.json", ""))
                    .sorted()
                    .toList();
            assertThat(named)
                    .isEqualTo(EventRegistry.standard().types().stream()
                            .map(EventType::name)
                            .sorted()
                            .toList());
        }
    }

    @Test
    void filesAreValidSchemasWithTheirNames() {
        Schema meta = LIBRARY.getSchema(
                com.networknt.schema.SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        List<String> names = new ArrayList<>(List.of("envelope", "subscription-filter"));
        EventRegistry.standard().types().forEach(type -> names.add("payload/" + type.name()));
        for (String name : names) {
            Json.Obj schema = file(name);
            assertThat(meta.validate(schema.toString(), InputFormat.JSON))
                    .as(name)
                    .isEmpty();
            assertThat(schema.string("$id"))
                    .isEqualTo("urn:harmovela:schema:0.2:" + name.replace("payload/", "payload:"));
        }
    }

    @Test
    void compiledChecksAgreeWithALibrary() {
        int refused = 0;
        int taken = 0;
        for (EventType type : EventRegistry.standard().types()) {
            if (type.name().equals("subscription.requested")) {
                continue;
            }
            Json.Obj schema = file("payload/" + type.name());
            PayloadSchema compiled = SchemaCompiler.compile(schema);
            Schema library = LIBRARY.getSchema(schema.toString(), InputFormat.JSON);
            for (long seed = 1; seed <= 80; seed++) {
                Json.Obj payload = payload(schema, new Random(seed), 2);
                boolean theirs = takes(library, payload);
                ProtocolError problem = ours(compiled, payload);
                assertThat(problem == null)
                        .as("%s, seed %d: %s gives %s", type, seed, payload, problem)
                        .isEqualTo(theirs);
                taken += theirs ? 1 : 0;
                refused += theirs ? 0 : 1;
            }
        }
        assertThat(refused).isGreaterThan(1000);
        assertThat(taken).isGreaterThan(1000);
    }

    /** Some of the members that the schema knows, most of them right; a null for a required one is left out. */
    private static Json.Obj payload(Json.Obj schema, Random random, int depth) {
        Json.Builder out = Json.Obj.builder().put("extra", random.nextInt(5));
        Json.Obj properties = schema.object("properties");
        if (properties == null) {
            return new RandomJson(random.nextLong()).object(1);
        }
        for (String name : properties.names()) {
            if (random.nextInt(4) > 0) {
                Json value = random.nextInt(6) == 0
                        ? new RandomJson(random.nextLong()).value(1)
                        : fitting(properties.object(name), random, depth);
                boolean required = schema.strings("required").contains(name);
                out.put(name, required && value == Json.Null.NULL ? null : value);
            }
        }
        return out.build();
    }

    private static Json fitting(Json.Obj shape, Random random, int depth) {
        Json.Arr words = shape.array("enum");
        if (words != null) {
            return words.items().get(random.nextInt(words.items().size()));
        }
        List<String> types = shape.strings("type");
        return switch (types.isEmpty() ? "any" : types.get(random.nextInt(types.size()))) {
            case "string" -> Json.of(random.nextInt(5) == 0 ? "" : "text");
            case "number" ->
                new Json.Num(List.of("0", "1", "0.5", "-1", "1e3", "1.0").get(random.nextInt(6)));
            case "integer" ->
                new Json.Num(List.of(
                                "0",
                                "7",
                                "-1",
                                "1.0",
                                "1e2",
                                "2.5",
                                "9007199254740991",
                                "9007199254740992",
                                "123456789012345678901234567890")
                        .get(random.nextInt(9)));
            case "boolean" -> Json.of(random.nextBoolean());
            case "null" -> Json.Null.NULL;
            case "array" ->
                new Json.Arr(
                        shape.object("items") == null
                                ? List.of(Json.of(1))
                                : List.of(fitting(shape.object("items"), random, depth - 1)));
            case "object" -> payload(shape, random, depth - 1);
            default -> new RandomJson(random.nextLong()).value(1);
        };
    }

    @Test
    void filterCheckAgreesWithItsFile() {
        Json.Obj schema = file("subscription-filter");
        Schema library = LIBRARY.getSchema(schema.toString(), InputFormat.JSON);
        int refused = 0;
        for (long seed = 1; seed <= 4000; seed++) {
            Json.Obj filter = filter(schema.object("properties"), new Random(seed));
            boolean theirs = takes(library, filter);
            ProtocolError problem = FilterCheck.problem(filter);
            assertThat(problem == null)
                    .as("seed %d: %s gives %s", seed, filter, problem)
                    .isEqualTo(theirs);
            refused += theirs ? 0 : 1;
        }
        assertThat(refused).isBetween(500, 3500);
    }

    private static Json.Obj filter(Json.Obj properties, Random random) {
        Json.Builder out = Json.Obj.builder();
        for (String name : properties.names()) {
            if (random.nextInt(name.equals("types") ? 3 : 5) > 0) {
                continue;
            }
            Json value = switch (random.nextInt(20)) {
                case 0 -> Json.Null.NULL;
                case 1 -> new Json.Arr(List.of());
                case 2 -> new RandomJson(random.nextLong()).value(1);
                case 3, 4 -> Json.of(List.of("a.b", "c.*"));
                default ->
                    properties.object(name).has("anyOf") ? Json.of("a.b") : fitting(properties.object(name), random, 1);
            };
            out.put(name, name.equals("expires_at") || (name.equals("types") && hasOddPattern(value)) ? null : value);
        }
        return out.build();
    }

    /** What JSON Schema leaves to the hub: the form of patterns. */
    private static boolean hasOddPattern(Json value) {
        Json.Obj in = Json.Obj.builder().put("v", value).build();
        return in.strings("v").stream().anyMatch(text -> !text.isEmpty() && TypePattern.problem(text) != null);
    }

    @Test
    void envelopesAgreeWithTheirFile() {
        Json.Obj schema = file("envelope");
        Schema library = LIBRARY.getSchema(schema.toString(), InputFormat.JSON);
        Json.Obj right = Events.object(Events.event("context.updated", "", "{}"));
        int refused = 0;
        for (long seed = 1; seed <= 4000; seed++) {
            Random random = new Random(seed);
            Json.Obj envelope = right;
            for (String name : schema.object("properties").names()) {
                Json.Obj shape = schema.object("properties").object(name);
                if (!shape.has("format") && !name.equals("type") && random.nextInt(20) == 0) {
                    Json wrong = new RandomJson(random.nextLong()).value(1);
                    envelope = envelope.with(name, random.nextBoolean() ? wrong : fitting(shape, random, 1));
                }
            }
            envelope = random.nextInt(10) == 0
                    ? envelope.without(List.copyOf(right.names()).get(random.nextInt(6)))
                    : envelope;
            boolean theirs = takes(library, envelope);
            EventReader.Read read = new EventReader(
                            EventRegistry.standard(), Limits.DEFAULT.withReservedKeys(Limits.ReservedKeys.TAKEN))
                    .read(envelope.toBytes(), 0, envelope.toBytes().length);
            boolean ours = read instanceof EventReader.Read.Ok
                    || ((EventReader.Read.Bad) read).first().code() == ErrorCode.INVALID_PAYLOAD;
            assertThat(ours).as("seed %d: %s gives %s", seed, envelope, read).isEqualTo(theirs);
            refused += theirs ? 0 : 1;
        }
        assertThat(refused).isBetween(500, 3500);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"pattern\":\"x\"}",
                "{\"properties\":{\"a\":{\"maxLength\":1}}}",
                "{\"type\":\"text\"}",
                "{\"type\":5}",
                "{\"enum\":1}",
                "{\"properties\":[]}",
                "{\"minimum\":\"1\"}",
                "{\"anyOf\":{}}",
                "{\"items\":true}"
            })
    void aSchemaThatCannotBeCheckedInFullIsRefused(String schema) {
        assertThatThrownBy(() -> SchemaCompiler.compile(Events.object(schema)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EventRegistry.standard()
                        .withFamilies(List.of(
                                new CustomFamily("shop", List.of("sold"), Map.of("sold", Events.object(schema))))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void generalChoicesAreCheckedToo() {
        Json.Obj schema = Events.object("""
                {"properties":{"v":{"anyOf":[{"type":"string","minLength":3},{"const":7},
                {"type":"array","items":{"type":"boolean"}}]}}}""");
        PayloadSchema compiled = SchemaCompiler.compile(schema);
        for (String value : List.of("\"abc\"", "\"😀b\"", "7", "8", "[true]", "[1]", "{}", "[]")) {
            Json payload = Json.parse("{\"v\":" + value + "}");
            assertThat(ours(compiled, payload) == null).as(value).isEqualTo(libraryTakes(schema, payload));
        }
        assertThat(ours(compiled, Json.parse("{\"v\":8}")).details().string("path"))
                .isEqualTo("payload.v");
    }

    @Test
    void aTypeWithoutRulesCostsNothing() {
        assertThat(SchemaCompiler.compile(file("payload/agent.message.sent")).saysNothing())
                .isTrue();
        assertThat(SchemaCompiler.compile(file("payload/task.progress")).saysNothing())
                .isFalse();
        assertThat(SchemaCompiler.compile(file("payload/context.invalidated")).saysNothing())
                .isFalse();
    }

    @Test
    void problemsAreNamedDeepInside() {
        PayloadSchema schema = SchemaCompiler.compile(file("payload/query.requested"));
        ProtocolError e = ours(schema, Json.parse("{\"freshness\":{\"max_age_ms\":-5}}"));
        assertThat(e.details().string("path")).isEqualTo("payload.freshness.max_age_ms");
        assertThat(e.details().string("expected"))
                .isEqualTo("an integer or null, at least 0, at most 9007199254740991");
        assertThat(e.details().string("got")).isEqualTo("the number -5");
        ProtocolError either = ours(SchemaCompiler.compile(file("payload/context.invalidated")), Json.parse("{}"));
        assertThat(either.details().string("expected")).isEqualTo("an object with resource or context_id");
    }
}
