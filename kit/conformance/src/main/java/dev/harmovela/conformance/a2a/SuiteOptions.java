package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.Credentials;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What to run. Each method answers a copy.
 *
 * @param endpointUrl whom to judge
 * @param client how the endpoint is reached; null for HTTP over the network
 * @param selection which profile
 * @param credentials how the kit logs in
 * @param settings everything that is rarely set
 */
public record SuiteOptions(
        URI endpointUrl, @Nullable Client client, Selection selection, Credentials credentials, Settings settings) {

    /**
     * Everything that is rarely set.
     *
     * @param packageVersion version of the kit, for the report
     * @param timeout of one exchange
     * @param headers sent with every call, and shown when need be
     * @param knownGaps what was said about rows beforehand
     * @param gate whether a local gate is judged: every required row of the strict official profile
     * @param progress told the title of each check before it is asked, and an empty one after the last
     */
    public record Settings(
            String packageVersion,
            Duration timeout,
            Map<String, String> headers,
            KnownGaps knownGaps,
            boolean gate,
            Consumer<String> progress) {

        public Settings {
            headers = Map.copyOf(headers);
        }

        /** What holds when nothing is set. */
        public static final Settings DEFAULT =
                new Settings("0.1.0", Duration.ofSeconds(30), Map.of(), KnownGaps.NONE, false, title -> {});
    }

    /** The default profile at that endpoint, without credentials. */
    public static SuiteOptions of(URI endpointUrl) {
        return new SuiteOptions(endpointUrl, null, Selection.DEFAULT, Credentials.NONE, Settings.DEFAULT);
    }

    public SuiteOptions withClient(@Nullable Client other) {
        return new SuiteOptions(endpointUrl, other, selection, credentials, settings);
    }

    public SuiteOptions withSelection(Selection other) {
        return new SuiteOptions(endpointUrl, client, other, credentials, settings);
    }

    public SuiteOptions withCredentials(Credentials other) {
        return new SuiteOptions(endpointUrl, client, selection, other, settings);
    }

    public SuiteOptions withSettings(Settings other) {
        return new SuiteOptions(endpointUrl, client, selection, credentials, other);
    }
}
