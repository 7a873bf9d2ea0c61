package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Dead letters. */
@Command(
        name = "dlq",
        description = "Look at dead letters: what could not be delivered. Replay them or throw them away.",
        subcommands = {DlqCommand.Ls.class, DlqCommand.Show.class, DlqCommand.Replay.class, DlqCommand.Discard.class})
final class DlqCommand extends Group {

    private static final String PATH = "dlq";
    private static final int PAGE = 1000;

    /** Which letters. */
    static final class Which {

        @Option(names = "--type", paramLabel = "PATTERN", description = "only of this event type")
        private @Nullable String type;

        @Option(
                names = {"--task", "--task-id"},
                paramLabel = "ID",
                description = "only of this task")
        private @Nullable String task;

        @Option(names = "--subscription", paramLabel = "ID", description = "only of this subscription")
        private @Nullable String subscription;

        @Option(names = "--owner", paramLabel = "ID", description = "only for this consumer")
        private @Nullable String owner;

        @Option(names = "--correlation-id", paramLabel = "ID", description = "only of this operation")
        private @Nullable String correlation;

        @Option(names = "--code", paramLabel = "CODE", description = "only with this last error")
        private @Nullable String code;

        @Option(names = "--from", paramLabel = "TIME", description = "only dead since (RFC 3339)")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "TIME", description = "only dead until (RFC 3339)")
        private @Nullable String to;

        Map<String, @Nullable String> filter() {
            Map<String, @Nullable String> filter = new LinkedHashMap<>();
            filter.put("type", type);
            filter.put("task_id", task);
            filter.put("subscription_id", subscription);
            filter.put("owner", owner);
            filter.put("correlation_id", correlation);
            filter.put("code", code);
            filter.put("from", from);
            filter.put("to", to);
            return filter;
        }

        boolean isEverything() {
            return filter().values().stream().allMatch(value -> value == null);
        }

        Json.Obj toJson() {
            Json.Builder filter = Json.Obj.builder();
            filter().forEach(filter::put);
            return filter.build();
        }
    }

    /**
     * What replaying and discarding have in common: letters by their ids or by a filter, and a question before
     * many.
     */
    abstract static class Act extends HubCommand {

        @Parameters(
                paramLabel = "ID",
                arity = "0..*",
                description = "these letters, by their ids or those of their events or tasks")
        private List<String> ids = new ArrayList<>();

        @Mixin
        private Which which;

        @Option(names = "--all", description = "every letter")
        private boolean all;

        @Option(names = "--dry-run", description = "only say which letters are meant")
        private boolean dryRun;

        @Option(
                names = {"-y", "--yes"},
                description = "do not ask before several letters are touched")
        private boolean yes;

        List<String> ids() {
            return ids;
        }

        Json.Obj filter() {
            return which.toJson();
        }

        boolean isDryRun() {
            return dryRun;
        }

        /** Letters must be named somehow, and in one way only. */
        void requireChoice() throws Failure {
            int ways = (ids.isEmpty() ? 0 : 1) + (which.isEverything() ? 0 : 1) + (all ? 1 : 0);
            if (ways != 1) {
                throw Failure.usage(
                        ways == 0 ? "No letters are named." : "Letters are named in several ways.",
                        "Name ids, or a filter such as --type 'task.*', or --all.");
            }
        }

        /** Asks a person whether so many are meant; without one, {@code --yes} must have been said. */
        void confirm(String verb, long count) throws Failure {
            if (yes || !ids.isEmpty() || count == 0) {
                return;
            }
            java.io.Console terminal = System.console();
            if (terminal == null || !terminal.isTerminal() || console().isJson()) {
                throw Failure.usage(
                        count + " letters are meant.", "Say --yes to " + verb + " them, or look first with --dry-run.");
            }
            String answer = terminal.readLine("%s %d letters? [y/N] ", verb, count);
            if (answer == null || !answer.strip().equalsIgnoreCase("y")) {
                throw Failure.failed("aborted", "Nothing was done.", null);
            }
        }
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List dead letters, latest first.",
            footer = {"", "Example: harmovela dlq ls --type 'task.*'"})
    static final class Ls extends ListCommand {

        @Mixin
        private Which which;

        @Override
        String path() {
            return PATH;
        }

        @Override
        void filter(Map<String, @Nullable String> parameters) {
            parameters.putAll(which.filter());
        }

        @Override
        String[] columns() {
            return new String[] {
                "LETTER=id",
                "EVENT=original_event_id",
                "TYPE=type",
                "TASK=task_id",
                "FOR=owner",
                "ATTEMPTS=attempts",
                "LAST=last_attempt_at",
                "ERROR=last_error.code",
                "REPLAYS=replays"
            };
        }

        @Override
        String none() {
            return "No dead letters.";
        }
    }

    @Command(
            name = "show",
            description = "Show one dead letter: its event, its attempts and their errors.",
            footer = {"", "Example: harmovela dlq show evt_01J…"})
    static final class Show extends ShowCommand {
        @Override
        String path() {
            return PATH;
        }
    }

    @Command(
            name = "replay",
            description = "Deliver dead letters again, beginning with attempt 1.",
            footer = {
                "",
                "Examples: harmovela dlq replay t1 --dry-run",
                "          harmovela dlq replay --type 'task.*' --max-per-second 10 --yes"
            })
    static final class Replay extends Act {

        @Option(names = "--limit", paramLabel = "N", description = "letters at the most")
        private @Nullable Long limit;

        @Option(names = "--batch-size", paramLabel = "N", description = "letters at once")
        private @Nullable Long batchSize;

        @Option(
                names = {"--max-per-second", "--rate"},
                paramLabel = "N",
                description = "letters a second at the most")
        private @Nullable Long rate;

        @Override
        int run() throws Failure {
            requireChoice();
            try (Api api = root().api()) {
                Json.Obj plan = api.post("dlq/replay", question().with("dry_run", Json.of(true)));
                if (!isDryRun()) {
                    Long ready = plan.integer("ready");
                    confirm("replay", ready == null ? 0 : ready);
                }
                Json.Obj done = isDryRun() ? plan : api.post("dlq/replay", question());
                console().result(done, text(done));
                return ExitCodes.OK;
            }
        }

        private Json.Obj question() {
            Json.Obj filter = filter();
            return Json.Obj.builder()
                    .put("event_ids", ids().isEmpty() ? null : ids())
                    .put("filter", ids().isEmpty() ? filter : null)
                    .put("limit", limit)
                    .put("batch_size", batchSize)
                    .put("max_per_second", rate)
                    .build();
        }

        private String text(Json.Obj done) {
            List<Json> items = Api.items(done);
            String table = items.isEmpty()
                    ? ""
                    : Table.of(items, "LETTER=id", "TYPE=type", "FOR=owner", "ERROR=last_error.code");
            String sum = isDryRun() ? " would be replayed, " : " replayed, ";
            return table + Table.text(done, isDryRun() ? "ready" : "replayed") + sum + Table.text(done, "parked")
                    + " parked after too many replays, " + Table.text(done, "unwanted") + " not wanted any more";
        }
    }

    @Command(
            name = "discard",
            aliases = {"drop", "rm"},
            description = "Throw dead letters away for good.",
            footer = {"", "Example: harmovela dlq discard --code invalid_payload --dry-run"})
    static final class Discard extends Act {

        @Override
        int run() throws Failure {
            requireChoice();
            try (Api api = root().api()) {
                List<String> meant = ids().isEmpty() ? matching(api) : ids();
                if (!isDryRun()) {
                    confirm("discard", meant.size());
                    for (String id : meant) {
                        api.delete(PATH + "/" + Api.encode(id));
                    }
                }
                Json.Obj done = Json.Obj.builder()
                        .put("dry_run", isDryRun())
                        .put("letters", meant)
                        .build();
                console().result(done, meant.size() + (isDryRun() ? " would be thrown away" : " thrown away"));
                return ExitCodes.OK;
            }
        }

        private List<String> matching(Api api) throws Failure {
            List<String> ids = new ArrayList<>();
            Map<String, @Nullable String> parameters = new LinkedHashMap<>();
            Json.Obj filter = filter();
            filter.names().forEach(name -> parameters.put(name, filter.string(name)));
            parameters.put("limit", Integer.toString(PAGE));
            String cursor;
            do {
                Json.Obj page = api.list(PATH, parameters);
                for (Json item : Api.items(page)) {
                    ids.add(Table.text(item, "id"));
                }
                cursor = page.string("next_cursor");
                parameters.put("cursor", cursor);
            } while (cursor != null);
            return ids;
        }
    }
}
