package dev.harmovela.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What could not be delivered at once. */
@Command(
        name = "deliveries",
        description = "Look at deliveries that are being tried again.",
        subcommands = DeliveriesCommand.Ls.class)
final class DeliveriesCommand extends Group {

    @Command(
            name = "ls",
            aliases = "list",
            description = "List deliveries that failed and wait for their next attempt.",
            footer = {"", "Example: harmovela deliveries ls --subscription sub_01J…"})
    static final class Ls extends ListCommand {

        @Option(names = "--subscription", paramLabel = "ID", description = "only of this subscription")
        private @Nullable String subscription;

        @Override
        String path() {
            return "pending";
        }

        @Override
        void filter(Map<String, @Nullable String> parameters) {
            parameters.put("subscription_id", subscription);
        }

        @Override
        String[] columns() {
            return new String[] {
                "SUBSCRIPTION=subscription_id",
                "SEQUENCE=sequence",
                "STATE=state",
                "ATTEMPTS=attempts",
                "NEXT=next_retry_at",
                "ERROR=last_error.code",
                "CURSOR=cursor"
            };
        }

        @Override
        String none() {
            return "Nothing waits for another attempt.";
        }
    }
}
