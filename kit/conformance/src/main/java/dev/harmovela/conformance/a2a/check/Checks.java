package dev.harmovela.conformance.a2a.check;

import java.util.List;
import java.util.stream.Stream;

/** Every check of the kit, in the order in which they are asked. */
public final class Checks {

    /** The checks of the official surface. What looks at the whole run comes last. */
    public static final List<Check> OFFICIAL = Stream.of(
                    CardChecks.TABLE,
                    JsonRpcChecks.TABLE,
                    RestChecks.TABLE,
                    GrpcChecks.TABLE,
                    StreamChecks.TABLE,
                    ListChecks.TABLE,
                    PushChecks.TABLE,
                    FieldChecks.TABLE,
                    StateChecks.TABLE,
                    HeaderChecks.TABLE,
                    TenancyChecks.TABLE,
                    ErrorChecks.TABLE,
                    SecurityChecks.TABLE,
                    LastChecks.TABLE)
            .flatMap(List::stream)
            .toList();

    /** The checks of the mesh dialect. */
    public static final List<Check> LEGACY = LegacyChecks.TABLE;

    /** The checks of the experimental version. */
    public static final List<Check> EXPERIMENTAL = ExperimentalChecks.TABLE;

    private Checks() {}
}
