package dev.harmovela.conformance.a2a;

import dev.harmovela.conformance.UnreachableException;
import dev.harmovela.conformance.UsageException;
import dev.harmovela.conformance.a2a.check.CardFile;
import dev.harmovela.conformance.a2a.check.CaseResult;
import dev.harmovela.conformance.a2a.check.Check;
import dev.harmovela.conformance.a2a.check.Checks;
import dev.harmovela.conformance.a2a.check.Dialect;
import dev.harmovela.conformance.a2a.check.FixedCases;
import dev.harmovela.conformance.a2a.check.Login;
import dev.harmovela.conformance.a2a.check.Outcome;
import dev.harmovela.conformance.a2a.check.Run;
import dev.harmovela.conformance.a2a.check.Watch;
import dev.harmovela.conformance.a2a.wire.AddressGuard;
import dev.harmovela.conformance.a2a.wire.Answer;
import dev.harmovela.conformance.a2a.wire.Client;
import dev.harmovela.conformance.a2a.wire.NetworkWire;
import dev.harmovela.conformance.a2a.wire.Opened;
import dev.harmovela.conformance.a2a.wire.Request;
import dev.harmovela.conformance.a2a.wire.Secrets;
import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges an A2A endpoint by its wire alone. One run at a time per instance. */
public final class ConformanceSuite {

    /**
     * Runs the profile that was asked for.
     *
     * @throws UsageException when what was asked for cannot be run; nothing was sent then
     * @throws UnreachableException when nobody answers at the endpoint
     */
    public A2aReport run(SuiteOptions options) {
        Profile profile = options.selection().resolve();
        endpoint(options.endpointUrl());
        if (options.settings().gate() && !profile.id().equals(Profiles.OFFICIAL)) {
            throw new UsageException("--gate is about the profile " + Profiles.OFFICIAL + ", not " + profile.id());
        }
        Client client = options.client();
        if (client != null) {
            return run(options, profile, client);
        }
        AddressGuard guard = AddressGuard.forEndpoint(options.endpointUrl(), false);
        try (NetworkWire wire = new NetworkWire(options.settings().timeout(), 0, guard, null)) {
            return run(options, profile, wire);
        }
    }

    private static void endpoint(URI url) {
        boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!http || url.getHost() == null) {
            throw new UsageException(url + " is no address of an A2A endpoint; it is written as http://HOST:PORT");
        }
        if (url.getUserInfo() != null) {
            throw new UsageException(
                    "credentials in the address would be shown; give them with --bearer-token or --header");
        }
    }

    private static A2aReport run(SuiteOptions options, Profile profile, Client client) {
        Instant begin = Instant.now();
        long start = System.nanoTime();
        Secrets secrets = options.credentials().secrets();
        Watch watch = new Watch(client, secrets);
        URI endpoint = options.endpointUrl();
        boolean legacy = profile.id().equals(Profiles.LEGACY);

        Login first = Login.first(endpoint, options.credentials());
        CardFile.Found found = CardFile.find(signing(watch, first, options), endpoint, legacy ? "0.3" : "1.0");
        CardFile card = found.file();
        if (!found.answered()) {
            throw new UnreachableException(found.trouble());
        }
        CardFile used = card == null ? new CardFile(endpoint, new Answer(404, Map.of(), ""), Json.Obj.of()) : card;
        Login login = Login.at(endpoint, options.credentials(), used.card(), watch, secrets);
        Run run = new Run(
                endpoint,
                watch,
                login,
                used,
                options.settings().timeout(),
                options.settings().headers());

        Dialect wanted = dialect(profile);
        String fits = wanted.answers(run) ? null : other(run, profile);
        FixedCases fixed = new FixedCases(run, found, profile.protocolVersion(), legacy);
        List<CaseResult> cases = fixed.all();
        List<RowResult> rows = rows(options, profile, run, fits);
        long millis = (System.nanoTime() - start) / 1_000_000;
        A2aReport.Origin origin = new A2aReport.Origin(
                endpoint,
                used.card(),
                options.settings().packageVersion(),
                begin,
                millis,
                options.settings().gate());
        return new A2aReport(profile, origin, cases, rows, fits, secrets);
    }

    private static Client signing(Client watch, Login login, SuiteOptions options) {
        return new Client() {
            @Override
            public Answer send(Request request) throws WireException {
                return watch.send(login.sign(request.with(options.settings().headers())));
            }

            @Override
            public Opened open(Request request) throws WireException {
                return watch.open(login.sign(request.with(options.settings().headers())));
            }
        };
    }

    private static Dialect dialect(Profile profile) {
        return switch (profile.id()) {
            case Profiles.LEGACY -> Dialect.MESH;
            case Profiles.EXPERIMENTAL -> Dialect.EXPERIMENTAL;
            default -> Dialect.OFFICIAL;
        };
    }

    /** The profile that fits an endpoint which does not answer in the dialect of this one; null when none does. */
    private static @Nullable String other(Run run, Profile profile) {
        if (!profile.id().equals(Profiles.OFFICIAL) && Dialect.OFFICIAL.answers(run)) {
            return Profiles.OFFICIAL;
        }
        if (!profile.id().equals(Profiles.LEGACY) && Dialect.MESH.answers(run)) {
            return Profiles.LEGACY;
        }
        return null;
    }

    private static List<RowResult> rows(SuiteOptions options, Profile profile, Run run, @Nullable String fits) {
        Map<String, Map<Check, Outcome>> outcomes = new LinkedHashMap<>();
        profile.rows().forEach(row -> outcomes.put(row.id(), new LinkedHashMap<>()));
        boolean legacy = profile.id().equals(Profiles.LEGACY);
        List<Check> checks = new ArrayList<>(legacy ? Checks.LEGACY : Checks.OFFICIAL);
        if (profile.id().equals(Profiles.EXPERIMENTAL)) {
            checks.addAll(Checks.EXPERIMENTAL);
        }
        for (Check each : checks) {
            options.settings().progress().accept(each.title());
            String version = Checks.EXPERIMENTAL.contains(each) ? profile.protocolVersion() : "1.0";
            Map<Check, Outcome> row = outcomes.get(each.row());
            if (row == null) {
                throw new IllegalStateException("the check " + each.id() + " is bound to no row of " + profile.id());
            }
            row.put(each, run.run(each, version));
        }
        options.settings().progress().accept("");
        List<RowResult> rows = new ArrayList<>();
        for (Profile.Row row : profile.rows()) {
            KnownGaps.Gap gap = options.settings().knownGaps().rows().get(row.id());
            Map<Check, Outcome> own = outcomes.getOrDefault(row.id(), Map.of());
            RowResult result = RowResult.observed(row, own, legacy, gap);
            boolean alias = Profiles.LEGACY.equals(fits) && row.id().equals("binding.jsonrpc-message-send");
            rows.add(
                    alias
                            ? result.as(RowStatus.LEGACY_ALIAS, "message/send is answered in the mesh dialect only")
                            : result);
        }
        return rows;
    }
}
