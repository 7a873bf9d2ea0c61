package dev.harmovela.conformance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a run.
 *
 * @param implementation who was judged
 * @param scope what was asked for
 * @param target how the target was named, and its transport profile
 * @param versions of the protocol and of the suite
 * @param fixtures one result each, in the order of the suite
 * @param evidence what proves it
 */
public record Report(
        Options.Implementation implementation,
        Scope scope,
        Endpoint target,
        Versions versions,
        List<Result> fixtures,
        Evidence evidence) {

    /** The participant structure of every run: one hub, peers around it. */
    public static final String TOPOLOGY = "harmovela.topology.hub-spoke.v1";

    /** Profile, or null for all, and the highest level. */
    public record Scope(@Nullable String profile, String level) {}

    /** Name of the target and identifier of the transport profile. */
    public record Endpoint(String name, String transportProfile) {}

    /**
     * Versions of the protocol and of the suite.
     *
     * @param hash SHA-256 over the fixtures of the suite, in their order
     */
    public record Versions(String protocol, String suite, String hash) {}

    /**
     * What proves the results.
     *
     * @param transcript SHA-256 over everything said
     * @param granted whether the target opened conformance sessions; without it nothing was run (D24)
     */
    public record Evidence(String transcript, boolean granted) {}

    /** What became of a fixture. */
    public enum Status {
        PASS,
        FAIL,
        SKIP
    }

    /**
     * One fixture.
     *
     * @param path as the manifest gives it
     * @param level the level that demands it
     * @param profile the profile it belongs to, or null
     * @param status what became of it
     * @param reason why it failed or was left out, or null
     * @param run time and source of the statistics
     */
    public record Result(
            String path,
            String level,
            @Nullable String profile,
            Status status,
            @Nullable String reason,
            Run run) {

        /**
         * How a fixture was run.
         *
         * @param millis how long it took
         * @param stats {@code target} or {@code computed} where delivery statistics were compared, else null
         * @param transcript SHA-256 over what was said, null when nothing was
         */
        public record Run(
                long millis,
                @Nullable String stats,
                @Nullable String transcript) {

            static final Run NONE = new Run(0, null, null);
        }
    }

    /** How many fixtures ended that way. */
    public long count(Status status) {
        return fixtures.stream().filter(one -> one.status() == status).count();
    }

    /** 0 when everything that was run passed, 1 when something failed or the target granted no conformance session. */
    public int exitCode() {
        return evidence.granted() && count(Status.FAIL) == 0 ? 0 : 1;
    }
}
