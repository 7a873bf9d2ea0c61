package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Who waits for what. */
@Command(
        name = "subscriptions",
        description = "Look at subscriptions: who waits for what, and how far they are.",
        subcommands = {SubscriptionsCommand.Ls.class, SubscriptionsCommand.Show.class, SubscriptionsCommand.Rm.class})
final class SubscriptionsCommand extends Group {

    private static final String PATH = "subscriptions";

    @Command(
            name = "ls",
            aliases = "list",
            description = "List subscriptions, inboxes included.",
            footer = {"", "Example: harmovela subscriptions ls"})
    static final class Ls extends ListCommand {
        @Override
        String path() {
            return PATH;
        }

        @Override
        String[] columns() {
            return new String[] {
                "SUBSCRIPTION=subscription_id",
                "KIND=kind",
                "OWNER=owner",
                "FILTER=filter",
                "ATTACHED=attached",
                "PENDING=deliveries.pending",
                "IN FLIGHT=in_flight",
                "ACKNOWLEDGED=deliveries.acknowledged",
                "CURSOR=acknowledged_cursor"
            };
        }

        @Override
        String none() {
            return "No subscriptions.";
        }
    }

    @Command(
            name = "show",
            description = "Show one subscription.",
            footer = {"", "Example: harmovela subscriptions show sub_01J…"})
    static final class Show extends ShowCommand {
        @Override
        String path() {
            return PATH;
        }
    }

    @Command(
            name = "rm",
            aliases = "cancel",
            description = "End a subscription that was made over the HTTP API.",
            footer = {"", "Example: harmovela subscriptions rm sub_01J…"})
    static final class Rm extends HubCommand {

        @Parameters(paramLabel = "ID", description = "its id")
        private String id;

        @Override
        int run() throws Failure {
            String path = PATH + "/" + Api.encode(id);
            try (Api api = root().api()) {
                api.get(path);
                Json.Obj ended = api.delete(path);
                if (api.raw(path).ok()) {
                    throw Failure.failed(
                                    "conflict",
                                    "The subscription " + id + " belongs to a session, which alone can end it.",
                                    "It ends when that session closes; harmovela subscriptions show " + id
                                            + " names its owner.")
                            .at(api.hub());
                }
                console().result(ended, id + " ended.");
                return ExitCodes.OK;
            }
        }
    }
}
