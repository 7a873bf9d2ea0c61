package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.a2a.check.Check;
import dev.harmovela.conformance.a2a.check.Outcome;
import dev.harmovela.conformance.a2a.check.Outcome.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was observed.
 *
 * @param row which
 * @param status what its checks came to
 * @param checks its checks with their outcomes, in order
 * @param notes what else is to be said about it, or null
 * @param gap what was said beforehand, or null
 */
public record RowResult(
        Profile.Row row,
        RowStatus status,
        Map<Check, Outcome> checks,
        @Nullable String notes,
        KnownGaps.@Nullable Gap gap) {

    static final String UNTRACKED = "untracked";

    /** The row as its checks have it; {@code alias} when they are all in the mesh dialect. */
    static RowResult observed(Profile.Row row, Map<Check, Outcome> checks, boolean alias, KnownGaps.@Nullable Gap gap) {
        long applicable = checks.size() - count(checks, Status.NOT_APPLICABLE);
        long passed = count(checks, Status.PASS);
        RowStatus status;
        if (applicable > 0 && passed == applicable) {
            status = alias ? RowStatus.LEGACY_ALIAS : RowStatus.SUPPORTED;
        } else if (passed > 0 || count(checks, Status.SKIP) > 0) {
            status = RowStatus.PARTIAL;
        } else {
            status = RowStatus.UNSUPPORTED;
        }
        return new RowResult(row, status, new LinkedHashMap<>(checks), note(checks, status), gap);
    }

    /** The row with a status that was not found by its own checks. */
    RowResult as(RowStatus other, String why) {
        return new RowResult(row, other, checks, why, gap);
    }

    private static @Nullable String note(Map<Check, Outcome> checks, RowStatus status) {
        if (status == RowStatus.SUPPORTED || status == RowStatus.LEGACY_ALIAS) {
            return null;
        }
        String missing = checks.entrySet().stream()
                .filter(one -> one.getValue().status() != Status.PASS)
                .filter(one -> status == RowStatus.UNSUPPORTED || one.getValue().status() != Status.NOT_APPLICABLE)
                .map(one -> one.getKey().id() + ": " + one.getValue().message())
                .collect(Collectors.joining("; "));
        return missing.isEmpty() ? null : missing;
    }

    /** How many checks came to that. */
    public long count(Status status) {
        return count(checks, status);
    }

    private static long count(Map<Check, Outcome> checks, Status status) {
        return checks.values().stream().filter(one -> one.status() == status).count();
    }

    /** What the status rests on, in one phrase. */
    public String evidence() {
        long applicable = checks.size() - count(Status.NOT_APPLICABLE);
        StringBuilder text = new StringBuilder();
        text.append(count(Status.PASS)).append(" of ").append(applicable).append(" checks passed");
        if (count(Status.SKIP) > 0) {
            text.append(", ").append(count(Status.SKIP)).append(" not measured");
        }
        if (count(Status.NOT_APPLICABLE) > 0) {
            text.append(", ").append(count(Status.NOT_APPLICABLE)).append(" not applicable");
        }
        return text.toString();
    }

    /** The issue that tracks what is missing: always one for an unsupported row, else as it was said. */
    public @Nullable String trackedBy() {
        String said = gap == null ? null : gap.trackedBy();
        return said == null && status == RowStatus.UNSUPPORTED ? UNTRACKED : said;
    }

    /** Own notes and those that were said beforehand, in that order. */
    public List<String> allNotes() {
        return java.util.stream.Stream.of(notes, gap == null ? null : gap.notes())
                .filter(java.util.Objects::nonNull)
                .toList();
    }

    /** Whether a required row is as it has to be. */
    public boolean fine() {
        return status == RowStatus.SUPPORTED || status == RowStatus.LEGACY_ALIAS;
    }
}
