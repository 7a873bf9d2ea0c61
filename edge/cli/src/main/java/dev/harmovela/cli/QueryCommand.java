package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Questions to agents and to the hub. */
@Command(name = "query", description = "Ask an agent, or the hub, what it knows.", subcommands = QueryCommand.Ask.class)
final class QueryCommand extends Group {

    @Command(
            name = "ask",
            description = {
                "Ask an agent about a scope and show its answer with its snapshot version.",
                "The agent answers by query.response or query.error with the same correlation_id."
            },
            footer = {
                "",
                "Examples: harmovela query ask memory:notebook facts --max-age-ms 60000",
                "          harmovela query ask harness:harmovela tasks --filter '{\"state\":\"started\"}'"
            })
    static final class Ask extends AskCommand {

        @Parameters(index = "0", paramLabel = "TARGET", description = "who shall know")
        private String target;

        @Parameters(index = "1", paramLabel = "SCOPE", description = "about what")
        private String scope;

        @Option(names = "--filter", paramLabel = "JSON", description = "only what is like that")
        private @Nullable String filter;

        @Option(names = "--max-age-ms", paramLabel = "N", description = "an answer of that age is good enough")
        private @Nullable Long maxAgeMs;

        @Option(names = "--consistent", description = "only an answer that was made for this question")
        private boolean consistent;

        @Option(names = "--snapshot-version", paramLabel = "V", description = "the answer of that version")
        private @Nullable Long version;

        @Option(names = "--since-version", paramLabel = "V", description = "only what changed since")
        private @Nullable Long since;

        @Option(names = "--limit", paramLabel = "N", description = "items at the most")
        private @Nullable Long limit;

        @Option(names = "--cursor", paramLabel = "TEXT", description = "go on after an earlier page")
        private @Nullable String cursor;

        @Override
        int run() throws Exception {
            Json.Builder payload = Json.Obj.builder()
                    .put("query_scope", scope)
                    .put("filter", EventOptions.payload(filter))
                    .put("snapshot_version", version)
                    .put("since_version", since);
            if (maxAgeMs != null || consistent) {
                Json.Builder freshness = Json.Obj.builder().put("max_age_ms", maxAgeMs);
                payload.put("freshness", (consistent ? freshness.put("require_consistent", true) : freshness).build());
            }
            if (limit != null || cursor != null) {
                payload.put(
                        "pagination",
                        Json.Obj.builder()
                                .put("limit", limit)
                                .put("cursor", cursor)
                                .build());
            }
            return ask(
                    "query.requested",
                    target,
                    payload.build(),
                    "query.response",
                    List.of("query.error", "query.rejected"));
        }
    }
}
