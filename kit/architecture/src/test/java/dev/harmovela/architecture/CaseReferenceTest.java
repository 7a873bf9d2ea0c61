package dev.harmovela.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps docs/reference/cases.md equal to the tests: which of them carries the id of which failure case. Tests are found
 * by reading the sources, since most say it in the name of a method.
 */
class CaseReferenceTest {

    /** Cases that something here has to prove; those of permissions, brokers, gRPC and A2A come later. */
    private static final List<String> REQUIRED = List.of(
            "CLI-01 CLI-03 CLI-05",
            "DEL-01 DEL-02 DEL-03 DEL-04 DEL-07 DEL-08 DEL-09 DEL-10 DEL-13 DEL-14 DEL-15",
            "ENV-01 ENV-03 ENV-04 ENV-05 ENV-07 ENV-08 ENV-10",
            "OBS-01 OBS-03 OBS-04",
            "SES-01 SES-02 SES-04 SES-05 SES-08",
            "STO-01 STO-02 STO-03",
            "STR-05",
            "SUB-01 SUB-02 SUB-04 SUB-06 SUB-07 SUB-08",
            "TRN-01 TRN-03 TRN-06 TRN-13 TRN-15",
            "TSK-01 TSK-02 TSK-03 TSK-05 TSK-06 TSK-07 TSK-10 TSK-11");

    private static final List<String> MODULES = List.of("core", "stores", "transports", "edge", "kit");
    private static final Pattern METHOD = Pattern.compile("^    (?:public |private |static )*void (\\w+)\\(");
    private static final Pattern NAMED =
            Pattern.compile("^(env|ses|sub|del|tsk|dlg|sec|bud|a2a|str|psh|trn|sto|cli|obs)_?(\\d\\d)(?!\\d)");

    @Test
    void everyCaseHasItsTests() throws IOException {
        Map<String, Set<String>> tests = tests();
        for (String family : REQUIRED) {
            assertThat(tests.keySet()).contains(family.split(" "));
        }
        Checkout.golden("docs/reference/cases.md", page(tests));
    }

    /** Classes with a method that carries an id, by case. */
    private static Map<String, Set<String>> tests() throws IOException {
        Map<String, Set<String>> tests = new TreeMap<>();
        for (Path file : sources()) {
            String type = String.valueOf(file.getFileName()).replace(".java", "");
            for (String line : Files.readAllLines(file)) {
                Matcher method = METHOD.matcher(line);
                if (method.find()) {
                    Matcher named = NAMED.matcher(method.group(1).toLowerCase(Locale.ROOT));
                    if (named.find()) {
                        String id = named.group(1).toUpperCase(Locale.ROOT) + "-" + named.group(2);
                        tests.computeIfAbsent(id, _ -> new TreeSet<>()).add(type);
                    }
                }
            }
        }
        return tests;
    }

    private static TreeSet<Path> sources() throws IOException {
        TreeSet<Path> sources = new TreeSet<>();
        for (String part : MODULES) {
            try (Stream<Path> files = Files.walk(Checkout.ROOT.resolve(part))) {
                files.filter(file -> file.toString().contains("/src/test/java/")
                                && file.toString().endsWith("Test.java"))
                        .forEach(sources::add);
            }
        }
        return sources;
    }

    private static String page(Map<String, Set<String>> tests) {
        StringBuilder page = new StringBuilder("# Failure cases and their tests\n\n"
                + "Generated from the tests by `./dev golden architecture`: a test that proves a case begins with its "
                + "id.\n\n"
                + "| case | tests |\n|---|---|\n");
        tests.forEach((id, classes) -> page.append("| ")
                .append(id)
                .append(" | ")
                .append(String.join(", ", classes))
                .append(" |\n"));
        return page.toString();
    }
}
