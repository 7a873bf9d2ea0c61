package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.UsageException;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody says about rows beforehand: {@code {"ROW": {"trackedBy", "notes", "status"}}}. It explains what is
 * observed and never changes it.
 *
 * @param rows by row id
 */
public record KnownGaps(Map<String, Gap> rows) {

    /** Nothing is said. */
    public static final KnownGaps NONE = new KnownGaps(Map.of());

    private static final List<String> STATUSES = List.of("supported", "partial", "legacy-alias", "unsupported");

    /**
     * What is said about one row.
     *
     * @param trackedBy the issue that tracks it, or null
     * @param notes an explanation, or null
     * @param status the status that is claimed, or null
     */
    public record Gap(
            @Nullable String trackedBy,
            @Nullable String notes,
            @Nullable String status) {}

    public KnownGaps {
        rows = Map.copyOf(rows);
    }

    /**
     * Reads such a file.
     *
     * @throws UsageException when it is none
     */
    public static KnownGaps parse(String text) {
        Json json;
        try {
            json = Json.parse(text);
        } catch (JsonException notJson) {
            throw new UsageException("the known gaps are no JSON: " + notJson.getMessage());
        }
        if (!(json instanceof Json.Obj file)) {
            throw new UsageException("the known gaps are no JSON object of rows");
        }
        Map<String, Gap> rows = new LinkedHashMap<>();
        file.forEach((row, value) -> rows.put(row, gap(row, value)));
        return new KnownGaps(rows);
    }

    private static Gap gap(String row, Json value) {
        boolean known = Profiles.all().stream()
                .flatMap(profile -> profile.rows().stream())
                .anyMatch(one -> one.id().equals(row));
        if (!known) {
            throw new UsageException("the known gaps name a row that no profile has: " + row);
        }
        if (!(value instanceof Json.Obj gap)) {
            throw new UsageException("the known gap " + row + " is no JSON object");
        }
        String status = gap.string("status");
        if (status != null && !STATUSES.contains(status)) {
            throw new UsageException("the known gap " + row + " claims the status " + status + "; there are "
                    + String.join(", ", STATUSES));
        }
        return new Gap(gap.string("trackedBy"), gap.string("notes"), status);
    }
}
