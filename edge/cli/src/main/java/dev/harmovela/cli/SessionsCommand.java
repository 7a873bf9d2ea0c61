package dev.harmovela.cli;

import picocli.CommandLine.Command;

/** Who is attached. */
@Command(
        name = "sessions",
        description = "Look at sessions: who is attached to the hub.",
        subcommands = {SessionsCommand.Ls.class, SessionsCommand.Show.class})
final class SessionsCommand extends Group {

    @Command(
            name = "ls",
            aliases = "list",
            description = "List live sessions.",
            footer = {"", "Example: harmovela sessions ls"})
    static final class Ls extends ListCommand {
        @Override
        String path() {
            return "sessions";
        }

        @Override
        String[] columns() {
            return new String[] {
                "SESSION=session_id",
                "IDENTITY=identity",
                "STATE=state",
                "OVER=transport",
                "ATTACHED=attached",
                "SUBSCRIPTIONS=subscriptions",
                "LAST SEEN=last_seen_at"
            };
        }

        @Override
        String none() {
            return "No sessions.";
        }
    }

    @Command(
            name = "show",
            description = "Show one session.",
            footer = {"", "Example: harmovela sessions show ses_01J…"})
    static final class Show extends ShowCommand {
        @Override
        String path() {
            return "sessions";
        }
    }
}
