package dev.harmovela.contract.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    private static Json.Obj obj(String text) {
        return (Json.Obj) Json.parse(text);
    }

    private static JsonException refusal(String text) {
        return catchThrowableOfType(JsonException.class, () -> Json.parse(text));
    }

    @Test
    void accessorsGiveNullUnlessTheTypeFits() {
        Json.Obj o = obj("""
                {"s":"x","i":7,"d":1.5,"b":true,"n":null,"o":{"k":1},"a":["p",1,"q"],"big":1e400}
                """);
        assertThat(o.string("s")).isEqualTo("x");
        assertThat(o.string("i")).isNull();
        assertThat(o.integer("i")).isEqualTo(7);
        assertThat(o.integer("d")).isNull();
        assertThat(o.number("d")).isEqualTo(1.5);
        assertThat(o.number("big")).isNull();
        assertThat(o.bool("b")).isTrue();
        assertThat(o.object("o")).isEqualTo(Json.Obj.builder().put("k", 1).build());
        assertThat(o.array("a").items()).hasSize(3);
        assertThat(o.strings("a")).containsExactly("p", "q");
        assertThat(o.strings("s")).containsExactly("x");
        assertThat(o.strings("o")).isEmpty();
        assertThat(o.string("missing")).isNull();
    }

    @Test
    void nullMeansAbsentButIsKept() {
        Json.Obj o = obj("{\"n\":null}");
        assertThat(o.get("n")).isNull();
        assertThat(o.has("n")).isFalse();
        assertThat(o.raw("n")).isEqualTo(Json.Null.NULL);
        assertThat(o.names()).containsExactly("n");
        assertThat(o).hasToString("{\"n\":null}");
    }

    @ParameterizedTest
    @CsvSource({
        "7,7",
        "-0,0",
        "1e3,1000",
        "2.0,2",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808"
    })
    void integralNumbersAreIntegersHoweverTheyAreWritten(String text, long value) {
        assertThat(obj("{\"n\":" + text + "}").integer("n")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "1.5", "1e400", "1e999999999", "1e-999999999", "1e99999999999"})
    void otherNumbersAreNoIntegersAndCostNothing(String text) {
        assertThat(obj("{\"n\":" + text + "}").integer("n")).isNull();
        assertThatThrownBy(() -> new Json.Num(text).longValue()).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void aNumberOfAMillionDigitsIsCarriedAndNeverComputed() {
        String digits = "1".repeat(1_000_000);
        Json.Obj o = obj("{\"n\":" + digits + "}");
        assertThat(o.integer("n")).isNull();
        assertThat(o.raw("n")).hasToString(digits);
    }

    @Test
    void env03NumbersComeOutDigitForDigit() {
        String text = "{\"value\":1724442618569203714,\"amount\":1.10,\"e\":1e400,\"z\":-0.0,\"c\":1E+2}";
        assertThat(Json.parse(text)).hasToString(text);
        assertThatThrownBy(() -> new Json.Num("1e400").doubleValue()).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void env01ARepeatedKeyIsNamedWithItsPathAtAnyDepth() {
        JsonException top = refusal("{\"source\":\"a\",\"x\":1,\"source\":\"b\"}");
        assertThat(top.path()).isEqualTo("source");
        assertThat(top.got()).contains("\"source\"");
        assertThat(top.syntax()).isFalse();
        JsonException deep = refusal("{\"payload\":{\"a\":[0,{\"role\":1,\"role\":2}]}}");
        assertThat(deep.path()).isEqualTo("payload.a.1.role");
    }

    @Test
    void env01AnEscapeDoesNotHideARepeatedKey() {
        JsonException e = refusal("{\"source\":1,\"s\\u006furce\":2}");
        assertThat(e.path()).isEqualTo("source");
        JsonException both = refusal("{\"\\u0073ource\":1,\"s\\u006furce\":2}");
        assertThat(both.path()).isEqualTo("source");
    }

    @Test
    void aSyntaxErrorBehindARepeatedKeyIsASyntaxError() {
        assertThat(refusal("{\"a\":1,\"a\":2").syntax()).isTrue();
        assertThat(refusal("{\"a\":1,\"a\":2}").syntax()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1,",
                "{\"a\":1,}",
                "[1,]",
                "[,1]",
                "{,}",
                "{a:1}",
                "'a'",
                "01",
                "-",
                "+1",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x1",
                "NaN",
                "-Infinity",
                "Infinity",
                "tru",
                "nulll",
                "true false",
                "{} {}",
                "\"",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"a\nb\"",
                "\"\t\"",
                "[1 2]",
                "{\"a\" 1}",
                "{\"a\":1 \"b\":2}",
                "// c",
                "\uFEFF1",
                "]",
                "}"
            })
    void whatIsNotJsonIsRefusedAsSyntax(String text) {
        assertThat(refusal(text).syntax()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\\ud800\"",
                "\"\\udc00\"",
                "\"\\ud800\\ud800\"",
                "\"\\ud800x\"",
                "{\"\\ud83d\":1}",
                "[\"\\ud83d\\n\"]"
            })
    void d18LoneSurrogatesAreRefused(String text) {
        JsonException e = refusal(text);
        assertThat(e.syntax()).isFalse();
        assertThat(e.got()).isEqualTo("a lone surrogate");
    }

    @Test
    void aSurrogatePairIsOneCharacter() {
        assertThat(Json.parse("\"\\ud83d\\ude00\"")).isEqualTo(Json.of("😀"));
        assertThat(Json.parse("\"😀\"")).hasToString("\"😀\"");
    }

    @ParameterizedTest
    @CsvSource({
        "C080", // overlong
        "C1BF",
        "E08080",
        "E09FBF",
        "F0808080",
        "F08FBFBF",
        "EDA080", // surrogates
        "EDBFBF",
        "F4908080", // beyond U+10FFFF
        "F5808080",
        "FF",
        "80",
        "C3", // cut off
        "E282",
        "F09F98",
        "C328",
        "E228A1"
    })
    void d18InvalidUtf8IsRefused(String hex) {
        byte[] bad = java.util.HexFormat.of().parseHex(hex);
        byte[] bytes = new byte[bad.length + 12];
        java.util.Arrays.fill(bytes, (byte) 'x');
        bytes[0] = '"';
        bytes[bytes.length - 1] = '"';
        for (int at = 1; at < 9; at++) {
            byte[] text = bytes.clone();
            System.arraycopy(bad, 0, text, at, bad.length);
            assertThatThrownBy(() -> Json.parse(text, 0, text.length)).isInstanceOf(JsonException.class);
        }
    }

    @Test
    void nestingEndsAtTheLimit() {
        String fits = "[".repeat(64) + "]".repeat(64);
        assertThat(Json.parse(fits)).hasToString(fits);
        JsonException e = refusal("[".repeat(65) + "]".repeat(65));
        assertThat(e.syntax()).isFalse();
        assertThat(e.expected()).contains("64");
        String mixed = "{\"a\":[".repeat(40);
        assertThat(refusal(mixed).path()).startsWith("a.0.a.0");
    }

    @Test
    void aHugeObjectIsReadAndItsRepeatedKeyFound() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < 100_000; i++) {
            text.append("\"k").append(i).append("\":1,");
        }
        assertThat(obj(text + "\"last\":2}").integer("last")).isEqualTo(2);
        JsonException e = refusal(text + "\"k70000\":2}");
        assertThat(e.path()).isEqualTo("k70000");
        assertThat(refusal("{\"in\":" + text + "\"k5\":2}}").path()).isEqualTo("in.k5");
    }

    /** Every two-letter block of "Aa" and "BB" has the same hash, so that all these keys collide. */
    @Test
    void keysMadeToCollideDoNotSlowReadingDown() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < 1 << 16; i++) {
            text.append('"');
            for (int bit = 0; bit < 16; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            text.append("\":0,");
        }
        long before = System.nanoTime();
        assertThat(obj(text + "\"z\":1}").integer("z")).isEqualTo(1);
        JsonException e = refusal(text + "\"" + "Aa".repeat(16) + "\":1}");
        assertThat(e.path()).isEqualTo("Aa".repeat(16));
        assertThat(System.nanoTime() - before).isLessThan(5_000_000_000L);
    }

    @Test
    void offsetsCountFromTheBeginningOfTheDocument() {
        byte[] bytes = "xx[1,?]".getBytes(StandardCharsets.UTF_8);
        JsonException e = catchThrowableOfType(JsonException.class, () -> Json.parse(bytes, 2, 5));
        assertThat(e.offset()).isEqualTo(3);
        assertThat(e.path()).isEqualTo("1");
    }

    @Test
    void builderKeepsOrderLeavesNullOutAndReplaces() {
        Json.Obj o = Json.Obj.builder()
                .put("b", "x")
                .put("a", (String) null)
                .put("l", (Long) null)
                .put("c", 1L)
                .put("d", 2.5)
                .put("e", true)
                .put("f", List.of("p", "q"))
                .put("b", "y")
                .build();
        assertThat(o).hasToString("{\"b\":\"y\",\"c\":1,\"d\":2.5,\"e\":true,\"f\":[\"p\",\"q\"]}");
        assertThatThrownBy(() -> Json.Obj.builder().put("n", Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withAndWithoutMakeNewObjects() {
        Json.Obj o = obj("{\"a\":1,\"b\":2}");
        assertThat(o.with("a", Json.of(3))).hasToString("{\"a\":3,\"b\":2}");
        assertThat(o.with("c", Json.of(3))).hasToString("{\"a\":1,\"b\":2,\"c\":3}");
        assertThat(o.without("a")).hasToString("{\"b\":2}");
        assertThat(o).hasToString("{\"a\":1,\"b\":2}");
    }

    @Test
    void largeObjectsAnswerLikeSmallOnes() {
        Json.Builder builder = Json.Obj.builder();
        for (int i = 0; i < 50; i++) {
            builder.put("k" + i, i);
        }
        Json.Obj o = builder.build();
        assertThat(o.integer("k49")).isEqualTo(49);
        assertThat(o.get("k50")).isNull();
        assertThat(o.with("k7", Json.of("x")).string("k7")).isEqualTo("x");
        assertThat(obj(o.toString())).isEqualTo(o);
    }

    @Test
    void objectsAreEqualInAnyOrder() {
        assertThat(obj("{\"a\":1,\"b\":[2]}"))
                .isEqualTo(obj("{\"b\":[2],\"a\":1}"))
                .hasSameHashCodeAs(obj("{\"b\":[2],\"a\":1}"))
                .isNotEqualTo(obj("{\"a\":1}"))
                .isNotEqualTo(obj("{\"a\":1,\"b\":[2.0]}"));
    }

    @Test
    void aLoneSurrogateOfOurOwnIsWrittenAsReplacement() {
        assertThat(Json.of("a\ud800b")).hasToString("\"a\uFFFDb\"");
        assertThat(refusalOfString("\"\ud800\"")).isNotNull();
    }

    private static JsonException refusalOfString(String text) {
        return refusal(text);
    }
}
