package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles JSON Schemas (2020-12) of the subset {@code type}, {@code properties}, {@code required}, {@code enum},
 * {@code const}, {@code minimum}, {@code maximum}, {@code minLength}, {@code items}, {@code anyOf}; annotations are
 * passed over, anything else is {@link IllegalArgumentException}, since a rule that is not checked must not look as
 * if it were.
 */
final class SchemaCompiler {

    private static final Set<String> ANNOTATIONS =
            Set.of("$schema", "$id", "$comment", "title", "description", "examples", "default", "deprecated", "format");

    private final Json.Obj schema;
    private final List<String> names = new ArrayList<>();
    private final List<PayloadSchema> shapes = new ArrayList<>();
    private final List<PayloadSchema> options = new ArrayList<>();
    private List<Json> values = List.of();
    private long[] alternatives = {};

    private SchemaCompiler(Json.Obj schema) {
        this.schema = schema;
    }

    static PayloadSchema compile(Json.Obj schema) {
        return new SchemaCompiler(schema).compile();
    }

    private PayloadSchema compile() {
        schema.forEach(this::keyword);
        int[] required =
                schema.strings("required").stream().mapToInt(this::member).toArray();
        if (schema.has("anyOf")) {
            anyOf(array("anyOf"));
        }
        if (names.size() > Long.SIZE) {
            throw new IllegalArgumentException("schema with more than " + Long.SIZE + " properties");
        }
        byte[][] utf8 = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        PayloadSchema.Members members = names.isEmpty()
                ? PayloadSchema.Members.NONE
                : new PayloadSchema.Members(
                        utf8, hashes(utf8), shapes.toArray(PayloadSchema[]::new), required, alternatives);
        PayloadSchema.Bounds bounds = bounds();
        int kinds = kinds();
        boolean empty = kinds == PayloadSchema.ANY
                && names.isEmpty()
                && values.isEmpty()
                && options.isEmpty()
                && bounds == PayloadSchema.Bounds.NONE
                && !schema.has("items");
        return empty
                ? PayloadSchema.NOTHING
                : new PayloadSchema(
                        kinds,
                        members,
                        values,
                        bounds,
                        schema.has("items") ? compile(object("items", schema.get("items"))) : null,
                        List.copyOf(options));
    }

    private void keyword(String keyword, Json value) {
        switch (keyword) {
            case "properties" ->
                object(keyword, value).forEach((name, shape) -> {
                    names.add(name);
                    shapes.add(compile(object(keyword + "." + name, shape)));
                });
            case "enum" -> values = array(keyword).items();
            case "const" -> values = List.of(value);
            case "type", "required", "anyOf", "items", "minimum", "maximum", "minLength" -> {}
            default -> {
                if (!ANNOTATIONS.contains(keyword)) {
                    throw new IllegalArgumentException("schema keyword is not supported: " + keyword);
                }
            }
        }
    }

    /** Options that only require members become masks, which need no second look at the object. */
    private void anyOf(Json.Arr choice) {
        List<Json.Obj> all =
                choice.items().stream().map(option -> object("anyOf", option)).toList();
        if (all.stream().allMatch(this::onlyPresence)) {
            alternatives = all.stream().mapToLong(this::mask).toArray();
        } else {
            all.forEach(option -> options.add(compile(option)));
        }
    }

    /** Whether the option asks for members and no more of them than the schema around it does, JSON null set apart. */
    private boolean onlyPresence(Json.Obj option) {
        if (!option.has("required") || option.size() != (option.has("properties") ? 2 : 1)) {
            return false;
        }
        Json.Obj own = option.object("properties");
        Json.Obj around = schema.object("properties");
        if (own == null || around == null) {
            return own == null;
        }
        for (String name : own.names()) {
            Json.Obj inner = own.object(name);
            Json.Obj outer = around.object(name);
            boolean same = inner != null
                    && outer != null
                    && inner.size() == 1
                    && option.strings("required").contains(name)
                    && outer.strings("type").stream()
                            .filter(type -> !type.equals("null"))
                            .toList()
                            .equals(inner.strings("type"));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private long mask(Json.Obj option) {
        long mask = 0;
        for (String name : option.strings("required")) {
            mask |= 1L << member(name);
        }
        return mask;
    }

    private int member(String name) {
        if (!names.contains(name)) {
            names.add(name);
            shapes.add(PayloadSchema.NOTHING);
        }
        return names.indexOf(name);
    }

    private PayloadSchema.Bounds bounds() {
        if (!schema.has("minimum") && !schema.has("maximum") && !schema.has("minLength")) {
            return PayloadSchema.Bounds.NONE;
        }
        return new PayloadSchema.Bounds(
                number("minimum", Double.NEGATIVE_INFINITY), number("maximum", Double.POSITIVE_INFINITY), (int)
                        number("minLength", 0));
    }

    private int kinds() {
        if (!schema.has("type")) {
            return PayloadSchema.ANY;
        }
        int kinds = 0;
        for (String type : schema.strings("type")) {
            kinds |= switch (type) {
                case "object" -> PayloadSchema.OBJECT;
                case "array" -> PayloadSchema.ARRAY;
                case "string" -> PayloadSchema.STRING;
                case "number" -> PayloadSchema.NUMBER;
                case "integer" -> PayloadSchema.INTEGER;
                case "boolean" -> PayloadSchema.BOOLEAN;
                case "null" -> PayloadSchema.NULL;
                default -> throw new IllegalArgumentException("schema type is not known: " + type);
            };
        }
        if (kinds == 0) {
            throw new IllegalArgumentException("schema keyword type needs a name or names");
        }
        return kinds;
    }

    private double number(String keyword, double fallback) {
        if (!schema.has(keyword)) {
            return fallback;
        }
        Double number = schema.number(keyword);
        if (number == null) {
            throw new IllegalArgumentException("schema keyword " + keyword + " needs a number");
        }
        return number;
    }

    private Json.Arr array(String keyword) {
        Json.Arr array = schema.array(keyword);
        if (array == null) {
            throw new IllegalArgumentException("schema keyword " + keyword + " needs an array");
        }
        return array;
    }

    private static int[] hashes(byte[][] names) {
        return Arrays.stream(names)
                .mapToInt(name -> JsonScanner.hash(name, 0, name.length))
                .toArray();
    }

    private static Json.Obj object(String keyword, @Nullable Json value) {
        if (value instanceof Json.Obj object) {
            return object;
        }
        throw new IllegalArgumentException("schema keyword " + keyword + " needs an object");
    }
}
