package dev.harmovela.cli;

import dev.harmovela.client.HubRefused;
import dev.harmovela.conformance.UsageException;
import dev.harmovela.runtime.Nearest;
import dev.harmovela.runtime.StdioDaemon;
import dev.harmovela.runtime.Version;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code harmovela} command: each thing it can do is in {@link Commands}. */
public final class Main {

    static final String VERSION = "harmovela " + Version.NUMBER + " (protocol " + Version.PROTOCOL + ")";

    /** Options of every command that take a value; needed to find the command's name. */
    private static final Set<String> WITH_VALUE =
            Set.of("--url", "--host", "--port", "-p", "--data", "--config", "--log-level");

    private Main() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String... arguments) {
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            // Asked for often and by scripts: not worth the start of the option parser.
            System.out.println(VERSION);
            return;
        }
        PrintStream out = utf8("stdio".equals(word(arguments)) ? StdioDaemon.claimStandardOutput() : null);
        System.exit(run(new Console(out, System.err), System.getenv(), arguments));
    }

    /** Standard output in the one encoding that JSON knows, whatever the locale says. */
    private static PrintStream utf8(@Nullable PrintStream claimed) {
        return claimed != null
                ? claimed
                : new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    }

    /** Runs one command line; the exit code. */
    static int run(Console console, Map<String, String> environment, String... arguments) {
        Logs.prepare();
        if (List.of(arguments).contains("--json")) {
            console.speakJson();
        }
        String word = word(arguments);
        if (arguments.length == 1 && "stdio".equals(word)) {
            return stdio(new Root(console, environment));
        }
        return commandLine(console, environment, word).execute(arguments);
    }

    /** A hub on a pipe is started for each conversation: it does not wait for the option parser. */
    private static int stdio(Root root) {
        try {
            return StdioCommand.serve(root);
        } catch (Failure failure) {
            return root.console().fail(failure);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return ExitCodes.FAILED;
        }
    }

    /** The parser with the command {@code word}, or with all of them when there is none of that name. */
    static CommandLine commandLine(Console console, Map<String, String> environment, @Nullable String word) {
        CommandLine line = new CommandLine(new Root(console, environment));
        Commands.add(line, word);
        HelpPage.shape(line);
        line.setOut(new PrintWriter(console.out(), true));
        line.setErr(new PrintWriter(console.err(), true));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((wrong, given) -> console.fail(usage(wrong)));
        line.setExecutionExceptionHandler((thrown, at, parsed) -> console.fail(failure(thrown)));
        return line;
    }

    /** The first argument that is no option: the name of the command. */
    static @Nullable String word(String... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (WITH_VALUE.contains(arguments[i])) {
                i++;
            } else if (!arguments[i].startsWith("-")) {
                return arguments[i];
            }
        }
        return null;
    }

    private static Failure usage(ParameterException wrong) {
        String message = String.valueOf(wrong.getMessage());
        String sentence = message.endsWith(".") ? message : message + ".";
        String name = wrong.getCommandLine().getCommandSpec().qualifiedName();
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String given = unmatched.getUnmatched().getFirst();
            boolean holds = !wrong.getCommandLine().getSubcommands().isEmpty();
            sentence = given.startsWith("-")
                    ? "There is no option " + given + "."
                    : holds ? "There is no command " + given + "." : "'" + given + "' is one argument too many.";
            List<String> there =
                    new ArrayList<>(wrong.getCommandLine().getSubcommands().keySet());
            if (given.startsWith("-")) {
                wrong.getCommandLine().getCommandSpec().options().forEach(one -> there.addAll(List.of(one.names())));
            }
            String near = Nearest.to(given, there);
            if (near != null) {
                return Failure.usage(sentence, "Did you mean " + near + "?");
            }
        }
        return Failure.usage(sentence, name + " --help shows what there is.");
    }

    private static Failure failure(Exception thrown) {
        return switch (thrown) {
            case Failure failure -> failure;
            case UsageException usage -> ConformanceCommand.usage(usage);
            case HubRefused refused ->
                Failure.failed(refused.error().code().wire(), refused.error().message(), null);
            default -> {
                Failure failure = Failure.failed(
                        "internal_error",
                        "The command failed unexpectedly: " + thrown + ".",
                        "Run it again with --debug to see where.");
                failure.initCause(thrown);
                yield failure;
            }
        };
    }
}
