package dev.harmovela.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypePatternTest {

    @ParameterizedTest
    @CsvSource({
        "task.*,task.cancel.requested,true",
        "task.*,task.submitted,true",
        "task.*,task,false",
        "task.*,tasks.submitted,false",
        "tool.*.progress,tool.call.progress,true",
        "tool.*.progress,tool.call.step.progress,false",
        "tool.*.progress,tool.progress,false",
        "tool.call.*,tool.call.cancel.requested,true",
        "TASK.*,task.submitted,false",
        "task,task.submitted,false",
        "task.submitted,task.submitted,true",
        "task.submitted,task.submitted.x,false",
        "*,task.submitted,true",
        "*,x,true",
        "*.requested,command.requested,true",
        "*.requested,tool.call.requested,false",
        "*.*,command.requested,true",
        "*.*,tool.call.requested,true",
        "*.*,x,false",
        "memory.*.*,memory.fact.added,true",
        "memory.*.*,memory.updated,false",
        "task.submit,task.submitted,false",
        "task.submitted,task.submit,false"
    })
    void sub07PatternsAreComparedWordByWord(String pattern, String type, boolean matches) {
        assertThat(TypePattern.parse(pattern).matches(type)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "**,**",
        "task.**,**",
        "'',empty",
        "task.,empty word",
        ".task,empty word",
        "task..x,empty word",
        "ta*k.x,whole word",
        "task.*x,whole word",
        "task. x,letters",
        "task.#,letters",
        "täsk.x,letters"
    })
    void sub07WhatIsNoPatternIsRefusedWithAReason(String text, String reason) {
        assertThat(TypePattern.problem(text)).contains(reason);
        assertThatThrownBy(() -> TypePattern.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aPatternShowsItself() {
        TypePattern p = TypePattern.parse("tool.*.progress.*");
        assertThat(p).hasToString("tool.*.progress.*").isEqualTo(TypePattern.parse("tool.*.progress.*"));
        assertThat(p.size()).isEqualTo(3);
        assertThat(p.word(1)).isEqualTo("*");
        assertThat(p.open()).isTrue();
        assertThat(p.literal()).isNull();
        assertThat(TypePattern.parse("task.failed").literal()).isEqualTo("task.failed");
    }

    @Test
    void d32AWildcardDoesNotNameAFamily() {
        assertThat(TypePattern.parse("event.*").names("event")).isTrue();
        assertThat(TypePattern.parse("event.published").names("event")).isTrue();
        assertThat(TypePattern.parse("*").names("event")).isFalse();
        assertThat(TypePattern.parse("*.published").names("event")).isFalse();
        assertThat(TypePattern.parse("events.*").names("event")).isFalse();
    }

    @Test
    void matchingAgreesWithANaiveMatcher() {
        for (long seed = 1; seed <= 20_000; seed++) {
            Random random = new Random(seed);
            String pattern = words(random, true);
            String type = words(random, false);
            assertThat(TypePattern.parse(pattern).matches(type))
                    .as("seed %d: %s against %s", seed, pattern, type)
                    .isEqualTo(naive(pattern, type));
        }
    }

    @Test
    void coveringMeansMatchingWhateverTheOtherMatches() {
        List<String> types = allTypes();
        for (long seed = 1; seed <= 3000; seed++) {
            Random random = new Random(seed);
            TypePattern wide = TypePattern.parse(words(random, true));
            TypePattern narrow = TypePattern.parse(words(random, true));
            boolean all = types.stream().filter(narrow::matches).allMatch(wide::matches);
            assertThat(wide.covers(narrow))
                    .as("seed %d: %s over %s", seed, wide, narrow)
                    .isEqualTo(all);
        }
    }

    /** One to four words of a small alphabet; "c" stands in no pattern, so that a wildcard is never exhausted. */
    private static String words(Random random, boolean pattern) {
        StringBuilder out = new StringBuilder();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String word = pattern && random.nextInt(3) == 0 ? "*" : random.nextBoolean() ? "a" : "b";
            out.append(out.isEmpty() ? "" : ".").append(word);
        }
        return out.toString();
    }

    private static List<String> allTypes() {
        java.util.ArrayList<String> all = new java.util.ArrayList<>(List.of("a", "b", "c"));
        for (int i = 0; i < all.size() && all.get(i).length() < 7; i++) {
            for (String word : List.of("a", "b", "c")) {
                all.add(all.get(i) + "." + word);
            }
        }
        return all;
    }

    private static boolean naive(String pattern, String type) {
        if (pattern.equals("*")) {
            return true;
        }
        String expression = pattern.replace(".", "\\.");
        if (pattern.endsWith(".*")) {
            expression = expression.substring(0, expression.length() - 1) + ".+";
        }
        expression = expression.replaceAll("(^|\\.)\\*", "$1[^.]+");
        return type.matches(expression);
    }
}
