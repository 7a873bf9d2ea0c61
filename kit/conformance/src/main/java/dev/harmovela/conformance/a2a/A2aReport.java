package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.a2a.check.CaseResult;
import dev.harmovela.conformance.a2a.wire.Secrets;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to.
 *
 * @param profile what the endpoint was held to
 * @param origin who judged whom, and when
 * @param cases the fixed cases, in order
 * @param rows the rows of the profile, in order
 * @param fits the profile that fits instead, when the endpoint answers in another dialect only; else null
 * @param secrets what the report must not show
 */
public record A2aReport(
        Profile profile,
        Origin origin,
        List<CaseResult> cases,
        List<RowResult> rows,
        @Nullable String fits,
        Secrets secrets) {

    static final int FINE = 0;
    static final int FAILED = 1;
    static final int NOT_APPLICABLE = 4;

    /**
     * Who judged whom, and when.
     *
     * @param endpoint as it was named
     * @param card its card; empty when there is none
     * @param packageVersion version of the kit
     * @param generatedAt when the run began
     * @param durationMs how long it took
     * @param gate whether the local gate was asked for
     */
    public record Origin(
            URI endpoint, Json.Obj card, String packageVersion, Instant generatedAt, long durationMs, boolean gate) {}

    public A2aReport {
        cases = List.copyOf(cases);
        rows = List.copyOf(rows);
    }

    /** How many cases came to that. */
    public long count(CaseResult.Status status) {
        return cases.stream().filter(one -> one.status() == status).count();
    }

    /** How many rows came to that. */
    public long count(RowStatus status) {
        return rows.stream().filter(one -> one.status() == status).count();
    }

    /** How many required cases failed. */
    public long requiredFailed() {
        return cases.stream()
                .filter(one -> one.fixed().required && one.status() == CaseResult.Status.FAIL)
                .count();
    }

    /** How many required rows are unsupported. */
    public long requiredUnsupported() {
        return rows.stream()
                .filter(one -> one.row().required() && one.status() == RowStatus.UNSUPPORTED)
                .count();
    }

    /** Whether a required case failed, or the profile is strict and a required row is not supported. */
    public boolean hasRequiredFailures() {
        return requiredFailed() > 0 || (profile.strict() && !shortOf().isEmpty());
    }

    /** The required rows that are not as they have to be. */
    public List<RowResult> shortOf() {
        return rows.stream().filter(one -> one.row().required() && !one.fine()).toList();
    }

    /** 0 when all that is required is fine, 1 when not, 4 when only another dialect answers. */
    public int exitCode() {
        if (fits != null) {
            return NOT_APPLICABLE;
        }
        return hasRequiredFailures() ? FAILED : FINE;
    }
}
