package dev.harmovela.conformance;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param manifest the suite, a file or the directory that holds {@code manifest.json}; null for the one shipped here
 * @param profile short name or full identifier of a profile, {@code core} for the fixtures without one; null for all
 * @param level the highest level to run, {@code C1} or {@code HARMOVELA-C1}; null for the default of the suite
 * @param depth whether the fixtures of the profile's own manifest are run too
 * @param target whom to judge
 * @param implementation who is judged, for the report; {@link Implementation#UNKNOWN} to take what the target says
 */
public record Options(
        @Nullable Path manifest,
        @Nullable String profile,
        @Nullable String level,
        Depth depth,
        Target target,
        Implementation implementation) {

    /** How much of a profile is run. */
    public enum Depth {
        /** What the manifest of the suite lists. */
        SUITE,
        /** Also what {@code profiles/<full identifier>/manifest.json} beside it adds. */
        DEEP
    }

    /**
     * Who is judged.
     *
     * @param name product name
     * @param version its version
     */
    public record Implementation(String name, String version) {

        /** An implementation that was not named. */
        public static final Implementation UNKNOWN = new Implementation("unknown", "unknown");
    }

    /** Everything of the suite shipped here. */
    public static Options all(Target target) {
        return new Options(null, null, null, Depth.SUITE, target, Implementation.UNKNOWN);
    }

    public Options withProfile(@Nullable String value) {
        return new Options(manifest, value, level, depth, target, implementation);
    }

    public Options withLevel(@Nullable String value) {
        return new Options(manifest, profile, value, depth, target, implementation);
    }

    public Options withManifest(@Nullable Path value) {
        return new Options(value, profile, level, depth, target, implementation);
    }

    public Options withDepth(Depth value) {
        return new Options(manifest, profile, level, value, target, implementation);
    }

    public Options withImplementation(Implementation value) {
        return new Options(manifest, profile, level, depth, target, value);
    }
}
