package dev.harmovela.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine commandLine =
            Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    @Test
    void theOptionParserSaysTheSameVersionAsTheShortCut() {
        assertThat(commandLine.execute("--version")).isZero();
        assertThat(out.toString().strip()).isEqualTo(Main.VERSION);
    }

    @Test
    void withoutArgumentsItShowsWhatThereIs() {
        assertThat(commandLine.execute()).isZero();
        assertThat(out.toString()).contains("Usage: harmovela");
    }

    @Test
    void anUnknownCommandIsAUsageErrorOnTheErrorStream() {
        assertThat(commandLine.execute("no-such-command")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("no-such-command");
    }
}
