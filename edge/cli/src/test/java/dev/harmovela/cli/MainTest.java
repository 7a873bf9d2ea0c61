package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The shape of the command line: help, names, and what happens to a wrong one. */
class MainTest {

    private static CommandLine all() {
        return Main.commandLine(new Console(System.out, System.err), Map.of(), null);
    }

    static Stream<List<String>> commands() {
        return below(all()).map(line -> {
            String name = line.getCommandSpec().qualifiedName();
            return Arrays.asList(name.split(" ")).subList(1, name.split(" ").length);
        });
    }

    private static Stream<CommandLine> below(CommandLine line) {
        return line.getSubcommands().values().stream()
                .distinct()
                .flatMap(sub -> Stream.concat(Stream.of(sub), below(sub)));
    }

    @Test
    void theOptionParserSaysTheSameVersionAsTheShortCut() {
        assertThat(Cli.run("--version", "--json").out().strip()).isEqualTo(Main.VERSION);
    }

    @Test
    void withoutArgumentsItShowsWhatThereIs() {
        Cli.Ran ran = Cli.run();
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("Usage: harmovela", "serve, start", "emit, pub", "subscribe, sub", "Exit codes:");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandExplainsItself(List<String> words) {
        String[] arguments = Stream.concat(words.stream(), Stream.of("--help")).toArray(String[]::new);
        Cli.Ran ran = Cli.run(arguments);
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("Usage: harmovela " + String.join(" ", words));
        assertThat(ran.out()).contains("--url", "--json", "Exit codes:", "74");
        assertThat(ran.out().lines().count()).as("short enough to read").isLessThan(50);
        boolean holdsOthers = ran.out().contains("Commands:");
        assertThat(ran.out().contains("Example") || holdsOthers)
                .as("an example, or commands that have one")
                .isTrue();
    }

    @Test
    void bothSpellingsOfAListWork() {
        below(all())
                .filter(line -> line.getCommandName().equals("ls"))
                .forEach(line -> assertThat(line.getCommandSpec().aliases()).contains("list"));
        assertThat(below(all())
                        .filter(line -> line.getCommandName().equals("ls"))
                        .count())
                .isGreaterThanOrEqualTo(4);
    }

    @Test
    void onlyTheCommandThatIsAskedForIsBuilt() {
        Console console = new Console(System.out, System.err);
        assertThat(Main.commandLine(console, Map.of(), "pub").getSubcommands()).containsOnlyKeys("emit", "pub");
        assertThat(Main.word("--port", "8787", "--json", "pub", "x")).isEqualTo("pub");
        assertThat(Main.word("--json")).isNull();
    }

    @Test
    void aMistypedCommandIsAUsageErrorThatNamesTheRightOne() {
        Cli.Ran ran = Cli.run("subscribr");
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isEqualTo("There is no command subscribr.\nDid you mean subscribe?\n");
    }

    @Test
    void aMistypedOptionIsAUsageErrorThatNamesTheRightOne() {
        Cli.Ran ran = Cli.run("stats", "--jsn");
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.err()).contains("There is no option --jsn.", "Did you mean --json?");
    }

    @Test
    void aUsageErrorInJsonIsOneEnvelope() {
        Cli.Ran ran = Cli.run("--json", "task");
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.error().string("code")).isEqualTo("usage");
        assertThat(ran.error().string("message")).contains("submit", "ls", "show", "watch", "cancel");
    }

    @Test
    void anAddressThatIsNoneIsAUsageError() {
        Cli.Ran ran = Cli.run("--url", "ftp://x", "stats");
        assertThat(ran.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ran.err()).contains("'ftp://x' is no address of a hub.");
    }
}
