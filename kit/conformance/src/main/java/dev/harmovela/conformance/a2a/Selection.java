package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.UsageException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which profile is asked for.
 *
 * @param profile its id; null when it follows from the rest
 * @param strict whether strictness was asked for
 * @param protocolVersion {@code 1.0} or {@code 1.2}; null for the default
 * @param experimental whether experimental profiles are allowed
 */
public record Selection(
        @Nullable String profile, boolean strict, @Nullable String protocolVersion, boolean experimental) {

    /** What a run without options is held to. */
    public static final Selection DEFAULT = new Selection(null, false, null, false);

    private static final List<String> VERSIONS = List.of("1.0", "1.2");

    /**
     * The profile: the one that is named, else the strict one when strictness was asked for, else that of the version.
     *
     * @throws UsageException when it does not exist, is not allowed, or contradicts the rest
     */
    public Profile resolve() {
        if (protocolVersion != null && !VERSIONS.contains(protocolVersion)) {
            throw new UsageException("there is no protocol version " + protocolVersion + " here; there are "
                    + String.join(" and ", VERSIONS));
        }
        Profile chosen = chosen();
        if (chosen.id().equals(Profiles.EXPERIMENTAL) && !experimental) {
            throw new UsageException(
                    "the profile " + chosen.id() + " is experimental; --experimental-profiles allows it");
        }
        if (strict && !chosen.strict()) {
            throw new UsageException("the profile " + chosen.id() + " is not strict, so --strict does not go with it");
        }
        if (protocolVersion != null && !protocolVersion.equals(chosen.protocolVersion())) {
            throw new UsageException("the profile " + chosen.id() + " is about version " + chosen.protocolVersion()
                    + ", not about " + protocolVersion);
        }
        return chosen;
    }

    private Profile chosen() {
        if (profile != null) {
            Profile named = Profiles.find(profile);
            if (named == null) {
                throw new UsageException("there is no profile " + profile + "; there are "
                        + Profiles.all().stream().map(Profile::id).collect(Collectors.joining(", ")));
            }
            return named;
        }
        boolean next = !strict && "1.2".equals(protocolVersion);
        return Profiles.named(next ? Profiles.EXPERIMENTAL : Profiles.OFFICIAL);
    }
}
