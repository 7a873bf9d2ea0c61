package dev.harmovela.contract.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonPropertyTest {

    private static final int DEPTH = 12;

    private static final JsonMapper JACKSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Test
    void whatIsWrittenReadsBackTheSame() {
        for (long seed = 1; seed <= 3000; seed++) {
            RandomJson random = new RandomJson(seed);
            Json value = random.value(4);
            assertThat(Json.parse(value.toString())).as("seed %d", seed).isEqualTo(value);
            assertThat(Json.parse(random.loose(value))).as("seed %d", seed).isEqualTo(value);
            assertThat(Json.parse(value.toString())).as("seed %d", seed).hasToString(value.toString());
            byte[] direct = new JsonBytes(8).value(value).toByteArray();
            assertThat(new String(direct, StandardCharsets.UTF_8))
                    .as("seed %d", seed)
                    .isEqualTo(value.toString());
        }
    }

    @Test
    void aStrictLibraryTakesAndRefusesTheSameDocuments() {
        int refused = 0;
        for (long seed = 1; seed <= 20_000; seed++) {
            RandomJson random = new RandomJson(seed);
            byte[] bytes = random.loose(random.value(4)).getBytes(StandardCharsets.UTF_8);
            if (seed % 4 != 0) {
                bytes = random.mutate(bytes);
            }
            Json ours = ours(bytes);
            JsonNode theirs;
            try {
                theirs = theirs(bytes);
            } catch (NumberFormatException _) {
                assertThat(ours)
                        .as("seed %d: an exponent the library cannot hold", seed)
                        .isNotNull();
                continue;
            }
            if (theirs != null && ours == null && hasLoneSurrogate(theirs)) {
                continue;
            }
            String shown = new String(bytes, StandardCharsets.UTF_8);
            assertThat(ours == null).as("seed %d: %s", seed, shown).isEqualTo(theirs == null);
            if (ours != null && theirs != null) {
                assertThat(same(ours, theirs)).as("seed %d: %s", seed, shown).isTrue();
            } else {
                refused++;
            }
        }
        assertThat(refused).isBetween(4000, 16_000);
    }

    private static @Nullable Json ours(byte[] bytes) {
        try {
            return Json.parse(bytes, 0, bytes.length, DEPTH);
        } catch (JsonException _) {
            return null;
        }
    }

    /** The library gets characters, since it guesses other encodings when it gets bytes. */
    private static @Nullable JsonNode theirs(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            JsonNode node = text.startsWith("\uFEFF") ? null : JACKSON.readTree(text);
            return node == null || node.isMissingNode() ? null : node;
        } catch (CharacterCodingException | JacksonException _) {
            return null;
        }
    }

    private static boolean hasLoneSurrogate(JsonNode node) {
        if (node.isString()) {
            return !JsonText.wellFormed(node.stringValue());
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            if (!JsonText.wellFormed(member.getKey()) || hasLoneSurrogate(member.getValue())) {
                return true;
            }
        }
        for (JsonNode item : node) {
            if (hasLoneSurrogate(item)) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(Json ours, JsonNode theirs) {
        return switch (ours) {
            case Json.Obj o ->
                theirs.isObject()
                        && theirs.size() == o.size()
                        && o.names().stream().allMatch(name -> theirs.has(name) && same(o.raw(name), theirs.get(name)));
            case Json.Arr a -> {
                boolean equal = theirs.isArray() && theirs.size() == a.items().size();
                for (int i = 0; equal && i < a.items().size(); i++) {
                    equal = same(a.items().get(i), theirs.get(i));
                }
                yield equal;
            }
            case Json.Str s -> theirs.isString() && theirs.stringValue().equals(s.value());
            case Json.Num n -> theirs.isNumber() && theirs.decimalValue().compareTo(new BigDecimal(n.text())) == 0;
            case Json.Bool b -> theirs.isBoolean() && theirs.booleanValue() == b.value();
            case Json.Null _ -> theirs.isNull();
        };
    }
}
