package dev.harmovela.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code harmovela} command: each thing it can do is a subcommand registered here. */
@Command(
        name = "harmovela",
        mixinStandardHelpOptions = true,
        version = Main.VERSION,
        description = "A hub through which autonomous agents coordinate.")
public final class Main implements Runnable {

    static final String VERSION = "harmovela 0.1.0 (protocol 0.2)";

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String... arguments) {
        if (arguments.length == 1 && arguments[0].equals("--version")) {
            // Asked for often and by scripts: not worth the start of the option parser.
            System.out.println(VERSION);
            return;
        }
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main());
    }

    /** No subcommand was named: show what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
