package dev.harmovela.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What has been handed out and not ended. */
@Command(
        name = "deliveries",
        description =
                "Look at deliveries that have not ended: handed out, waiting for an attempt or for their receiver.",
        subcommands = DeliveriesCommand.Ls.class)
final class DeliveriesCommand extends Group {

    @Command(
            name = "ls",
            aliases = "list",
            description = {
                "List deliveries that have not ended: in_flight (handed out, acknowledgement due),",
                "retrying (next attempt due), waiting (for a receiver that is away or has its hands full)."
            },
            footer = {"", "Example: harmovela deliveries ls --task t1"})
    static final class Ls extends ListCommand {

        @Option(
                names = {"--task", "--task-id"},
                paramLabel = "ID",
                description = "only of this task")
        private @Nullable String task;

        @Option(names = "--state", paramLabel = "STATE", description = "in_flight, retrying or waiting")
        private @Nullable String state;

        @Option(names = "--subscription", paramLabel = "ID", description = "only of this subscription")
        private @Nullable String subscription;

        @Override
        String path() {
            return "pending";
        }

        @Override
        void filter(Map<String, @Nullable String> parameters) {
            parameters.put("task_id", task);
            parameters.put("state", state);
            parameters.put("subscription_id", subscription);
        }

        @Override
        String[] columns() {
            return new String[] {
                "STATE=state",
                "ATTEMPT=attempt",
                "OF=max_attempts",
                "DUE=due_at",
                "TYPE=type",
                "TASK=task_id",
                "FOR=owner",
                "ERROR=last_error.code",
                "EVENT=event_id",
                "EVENTS=events",
                "WHY=reason",
                "SUBSCRIPTION=subscription_id"
            };
        }

        @Override
        String none() {
            return "Every delivery has ended.";
        }
    }
}
