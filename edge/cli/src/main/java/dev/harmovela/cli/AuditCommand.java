package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.AuditProof;
import dev.harmovela.runtime.StartFailed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who did what. */
@Command(
        name = "audit",
        description = "Look at who did what and who was refused what; prove that it was not changed.",
        subcommands = {
            AuditCommand.Ls.class,
            AuditCommand.Export.class,
            AuditCommand.Verify.class,
            AuditCommand.Head.class
        })
final class AuditCommand extends Group {

    private static final String PATH = "audit";
    private static final int PAGE = 1000;

    /** Which records. */
    static final class Which {

        @Option(
                names = {"--correlation", "--correlation-id"},
                paramLabel = "ID",
                description = "only of this operation")
        private @Nullable String correlation;

        @Option(names = "--actor", paramLabel = "ID", description = "only by this identity")
        private @Nullable String actor;

        @Option(names = "--type", paramLabel = "PATTERN", description = "only of these types, as 'task.*'")
        private @Nullable String type;

        @Option(names = "--decision", paramLabel = "WORD", description = "allowed or denied")
        private @Nullable String decision;

        @Option(
                names = {"--task", "--task-id"},
                paramLabel = "ID",
                description = "only of this task")
        private @Nullable String task;

        @Option(names = "--event", paramLabel = "ID", description = "only about this event")
        private @Nullable String event;

        @Option(names = "--since", paramLabel = "TIME", description = "only since (RFC 3339)")
        private @Nullable String since;

        @Option(names = "--until", paramLabel = "TIME", description = "only before (RFC 3339)")
        private @Nullable String until;

        Map<String, @Nullable String> filter() {
            Map<String, @Nullable String> filter = new LinkedHashMap<>();
            filter.put("correlation_id", correlation);
            filter.put("actor", actor);
            filter.put("type", type);
            filter.put("decision", decision);
            filter.put("task_id", task);
            filter.put("event_id", event);
            filter.put("since", since);
            filter.put("until", until);
            return filter;
        }
    }

    @Command(
            name = "ls",
            aliases = "list",
            description = "List records, oldest first.",
            footer = {
                "",
                "Examples: harmovela audit ls --decision denied",
                "          harmovela audit ls --correlation c1 --json"
            })
    static final class Ls extends HubCommand {

        @Mixin
        private Which which;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "records at the most (default: ${DEFAULT-VALUE})")
        private int limit;

        @Option(names = "--cursor", paramLabel = "TEXT", description = "go on after an earlier page")
        private @Nullable String cursor;

        @Override
        int run() throws Failure {
            List<Json> rows = new ArrayList<>();
            String next = cursor;
            try (Api api = root().api()) {
                do {
                    Json.Obj page = page(api, which, next, Math.min(PAGE, limit - rows.size()));
                    rows.addAll(Api.items(page));
                    next = page.string("next_cursor");
                } while (next != null && rows.size() < limit);
            }
            Json.Obj data = Json.Obj.builder()
                    .put("items", new Json.Arr(rows))
                    .put("next_cursor", next == null ? Json.Null.NULL : Json.of(next))
                    .build();
            console().result(data, rows.isEmpty() ? "" : table(rows));
            if (rows.isEmpty()) {
                console().note("No records.");
            } else if (next != null) {
                console().note("There is more: --cursor " + next);
            }
            return ExitCodes.OK;
        }

        private static String table(List<Json> rows) {
            return Table.of(
                    rows,
                    "TIME=time",
                    "TYPE=type",
                    "ACTOR=actor",
                    "BY=transport_identity",
                    "DECISION=decision",
                    "COUNT=count",
                    "WHY=reason",
                    "RESOURCE=resource",
                    "TARGET=target",
                    "EVENT=event_id",
                    "CORRELATION=correlation_id");
        }
    }

    private static Json.Obj page(Api api, Which which, @Nullable String cursor, int limit) throws Failure {
        Map<String, @Nullable String> parameters = which.filter();
        parameters.put("limit", Integer.toString(limit));
        parameters.put("cursor", cursor);
        return api.list(PATH, parameters);
    }

    @Command(
            name = "export",
            description = "Write all records to standard output, one JSON object on each line.",
            footer = {"", "Example: harmovela audit export --since 2026-07-01T00:00:00Z > audit.ndjson"})
    static final class Export extends HubCommand {

        @Mixin
        private Which which;

        @Override
        int run() throws Failure {
            String next = null;
            try (Api api = root().api()) {
                do {
                    Json.Obj page = page(api, which, next, PAGE);
                    Api.items(page).forEach(row -> console().line(row.toString()));
                    next = page.string("next_cursor");
                } while (next != null);
            }
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "verify",
            description = {
                "Compare the journal with the hashes of its finished segments, beside a running hub or without.",
                "With an anchor that was kept elsewhere, nobody can have written it anew since then."
            },
            footer = {"", "Example: harmovela audit verify --data .harmovela --anchor \"$(cat head)\""})
    static final class Verify extends HubCommand {

        @Option(
                names = "--anchor",
                paramLabel = "HASH",
                description = "what harmovela audit head printed: the journal must go on from there")
        private @Nullable String anchor;

        @Override
        int run() throws Failure {
            Path data = root().load(Map.of()).config().data();
            AuditProof.Result result;
            try {
                result = AuditProof.verify(data, anchor);
            } catch (StartFailed failed) {
                throw Failure.of(failed);
            }
            if (!result.differences().isEmpty()) {
                AuditProof.Difference first = result.differences().getFirst();
                throw Failure.failed(
                                "audit_changed",
                                "The audit was changed: " + first.file() + " at offset " + first.offset() + ": "
                                        + first.text() + ".",
                                "Keep the directory as it is; a copy that verifies tells what it was.")
                        .with(describe(result));
            }
            String compared = result.compared() == 0
                    ? "no segment is finished yet"
                    : "positions " + result.firstLsn() + " to " + result.sealedLsn() + " in " + result.compared()
                            + " files hold";
            console().result(describe(result), "The audit is whole: " + compared + ".");
            result.notes().forEach(console()::note);
            return ExitCodes.OK;
        }

        private static Json.Obj describe(AuditProof.Result result) {
            List<Json> differences = new ArrayList<>();
            for (AuditProof.Difference one : result.differences()) {
                differences.add(Json.Obj.builder()
                        .put("file", one.file())
                        .put("offset", one.offset())
                        .put("text", one.text())
                        .build());
            }
            return Json.Obj.builder()
                    .put("whole", result.differences().isEmpty())
                    .put("differences", new Json.Arr(differences))
                    .put("notes", result.notes())
                    .put("compared", (long) result.compared())
                    .put("first_lsn", result.firstLsn())
                    .put("sealed_lsn", result.sealedLsn())
                    .put("last_lsn", result.lastLsn())
                    .put("head", result.head())
                    .build();
        }
    }

    @Command(
            name = "head",
            description = "Print one word for everything the journal holds now, to be kept elsewhere.",
            footer = {"", "Example: harmovela audit head --data .harmovela > head"})
    static final class Head extends HubCommand {

        @Override
        int run() throws Failure {
            try {
                String head = AuditProof.head(root().load(Map.of()).config().data());
                console().result(Json.Obj.builder().put("head", head).build(), head);
                return ExitCodes.OK;
            } catch (StartFailed failed) {
                throw Failure.of(failed);
            }
        }
    }
}
