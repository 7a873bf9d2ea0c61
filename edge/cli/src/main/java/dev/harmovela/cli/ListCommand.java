package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Shows a page of one of the hub's lists (D34). */
abstract class ListCommand extends HubCommand {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "rows at the most (default: ${DEFAULT-VALUE})")
    private int limit;

    @Option(names = "--cursor", paramLabel = "TEXT", description = "go on after an earlier page")
    private @Nullable String cursor;

    /** Path of the list below the API. */
    abstract String path();

    /** Columns as {@link Table#of} takes them. */
    abstract String[] columns();

    /** What to say when the list is empty. */
    abstract String none();

    /** Adds filters to the question. */
    void filter(Map<String, @Nullable String> parameters) {}

    @Override
    final int run() throws Failure {
        Map<String, @Nullable String> parameters = new LinkedHashMap<>();
        filter(parameters);
        parameters.put("limit", Integer.toString(limit));
        parameters.put("cursor", cursor);
        try (Api api = root().api()) {
            Json.Obj page = api.list(path(), parameters);
            List<Json> items = Api.items(page);
            console().result(page, items.isEmpty() ? "" : Table.of(items, columns()));
            if (items.isEmpty()) {
                console().note(none());
            }
            if (page.has("incomplete")) {
                console().note("Some may be missing: " + page.string("incomplete"));
            } else if (page.has("as_of")) {
                console()
                        .note("The search is behind: what ended after position " + page.string("as_of")
                                + " may be missing.");
            }
            if (page.has("next_cursor")) {
                console().note("There is more: --cursor " + page.string("next_cursor"));
            }
            return ExitCodes.OK;
        }
    }
}
