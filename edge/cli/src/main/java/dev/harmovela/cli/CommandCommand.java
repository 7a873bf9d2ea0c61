package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands to agents. */
@Command(
        name = "command",
        description = "Tell an agent to do something, and look at what was told.",
        subcommands = {CommandCommand.Send.class, CommandCommand.Ls.class})
final class CommandCommand extends Group {

    @Command(
            name = "send",
            description = {
                "Send a command to an agent and wait for its answer; exit code 0 when it was completed.",
                "The agent answers by command.completed or command.failed with the same correlation_id."
            },
            footer = {"", "Example: harmovela command send agent:worker index.rebuild '{\"shard\":3}'"})
    static final class Send extends AskCommand {

        @Parameters(index = "0", paramLabel = "TARGET", description = "who shall do it")
        private String target;

        @Parameters(index = "1", paramLabel = "COMMAND", description = "what")
        private String command;

        @Parameters(index = "2", paramLabel = "ARGS", arity = "0..1", description = "with what, a JSON object")
        private @Nullable String args;

        @Option(
                names = "--scope",
                paramLabel = "RIGHT",
                description = "right that it takes; may be given several times")
        private List<String> scopes = List.of();

        @Override
        int run() throws Exception {
            Json.Obj payload = Json.Obj.builder()
                    .put("command", command)
                    .put("args", EventOptions.payload(args))
                    .put("authorization_scope", scopes.isEmpty() ? null : scopes)
                    .build();
            return ask("command.requested", target, payload, "command.completed", List.of("command.failed"));
        }
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List commands and queries that are under way or were answered a short while ago.",
            footer = {"", "Example: harmovela command ls"})
    static final class Ls extends ListCommand {
        @Override
        String path() {
            return "exchanges";
        }

        @Override
        String[] columns() {
            return new String[] {"KIND=kind", "FROM=requester", "TO=target", "STATE=state", "CORRELATION=correlation_id"
            };
        }

        @Override
        String none() {
            return "Nothing is under way.";
        }
    }
}
