package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Judges a target by a suite: each fixture in a conversation of its own (§14).
 *
 * <p>Knows the wire only, so that it can judge any implementation. Not thread-safe; a runner serves any number of runs.
 */
public final class ConformanceRunner {

    private static final int REASONS_SHOWN = 3;

    private final Patience patience;
    private final SchemaCheck schemas = new SchemaCheck();

    public ConformanceRunner() {
        this(Patience.DEFAULT);
    }

    ConformanceRunner(Patience patience) {
        this.patience = patience;
    }

    /**
     * Runs what the options select; the target stays open.
     *
     * @throws UsageException when the suite, profile or level does not exist
     * @throws UnreachableException when the target cannot be reached
     */
    public Report run(Options options) {
        SuiteReader.Loaded loaded = SuiteReader.load(options.manifest());
        Suite suite = loaded.suite();
        Selection selection = Selection.of(suite, options.profile(), options.level());
        if (options.depth() == Options.Depth.DEEP) {
            selection = deepened(selection, loaded);
        }
        TranscriptHash hash = new TranscriptHash();
        List<Report.Result> results = new ArrayList<>();
        String notGranted = null;
        boolean reached = false;
        for (Selection.Choice choice : selection.fixtures()) {
            String leftOut = choice.leftOut() == null ? notGranted : choice.leftOut();
            if (leftOut != null) {
                results.add(skipped(choice.fixture(), leftOut));
                continue;
            }
            try {
                results.add(run(choice.fixture(), loaded.files(), options.target(), hash));
                reached = true;
            } catch (UnreachableException e) {
                if (!reached) {
                    throw e;
                }
                results.add(result(choice.fixture(), List.of(text(e)), Report.Result.Run.NONE));
            } catch (NotGrantedException e) {
                notGranted = "not granted: " + text(e);
                results.add(skipped(choice.fixture(), notGranted));
            }
        }
        return new Report(
                implementation(options, reached),
                new Report.Scope(selection.profile(), selection.level()),
                new Report.Endpoint(options.target().name(), options.target().transportProfile()),
                new Report.Versions(suite.specVersion(), suite.suiteVersion(), suiteHash(selection, loaded.files())),
                List.copyOf(results),
                new Report.Evidence(hash.finish(), notGranted == null));
    }

    /** What tells suites apart although they call themselves by the same version. */
    private static String suiteHash(Selection selection, SuiteFiles files) {
        TranscriptHash hash = new TranscriptHash();
        for (Selection.Choice choice : selection.fixtures()) {
            try {
                hash.add(choice.fixture().path() + "\n"
                        + files.read(choice.fixture().file()));
            } catch (IOException _) {
                hash.add(choice.fixture().path() + " is missing");
            }
        }
        return hash.finish();
    }

    private Options.Implementation implementation(Options options, boolean reached) {
        boolean ask = reached && options.implementation().equals(Options.Implementation.UNKNOWN);
        return ask ? Introduction.of(options.target(), patience.effectMillis()) : options.implementation();
    }

    private static String text(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private static Selection deepened(Selection selection, SuiteReader.Loaded loaded) {
        String profile = selection.profile();
        if (profile == null) {
            throw new UsageException("only a profile has deeper fixtures: name one");
        }
        String name = SuiteFiles.resolve(
                loaded.suite().name(), "profiles/" + Selection.fullIdentifier(profile) + "/manifest.json");
        return selection.deepened(new SuiteReader(loaded.files()).read(name));
    }

    private Report.Result run(Suite.Fixture fixture, SuiteFiles files, Target target, TranscriptHash hash) {
        long start = System.nanoTime();
        List<SentLine> lines;
        try {
            lines = SentLine.split(files.read(fixture.file()));
        } catch (IOException e) {
            return result(fixture, List.of("the fixture cannot be read: " + e.getMessage()), Report.Result.Run.NONE);
        }
        List<String> problems = new ArrayList<>();
        String stats = null;
        TranscriptHash own = new TranscriptHash();
        try (Exchange exchange = target.open()) {
            Conversation conversation = new Conversation(exchange, lines, patience);
            try {
                conversation.run(expectations(fixture));
                problems.addAll(new Judge(schemas).problems(fixture, conversation));
                stats = statistics(fixture, conversation, problems);
                state(fixture, conversation, problems);
            } catch (IOException e) {
                problems.add("the conversation broke: " + e.getMessage() + conversation.said());
            }
            hash.add(fixture.path(), conversation);
            own.add(fixture.path(), conversation);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            problems.add("interrupted");
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        return result(fixture, problems, new Report.Result.Run(millis, stats, own.finish()));
    }

    private static Map<Integer, LineExpectation> expectations(Suite.Fixture fixture) {
        Map<Integer, LineExpectation> byLine = new HashMap<>();
        fixture.expect().forEach(one -> byLine.put(one.line(), one));
        return byLine;
    }

    private static @Nullable String statistics(Suite.Fixture fixture, Conversation conversation, List<String> problems)
            throws IOException, InterruptedException {
        Json.Obj expected = fixture.expectedStats();
        if (fixture.expectation() != Suite.Expectation.DELIVERY_E2E || expected == null) {
            return null;
        }
        Json.Obj told = conversation.ask("delivery.stats", Json.Obj.of());
        Json.Obj found = told == null ? DeliveryTracker.count(conversation.lines()) : told;
        problems.addAll(Judge.statistics(expected, found));
        return told == null ? "computed" : "target";
    }

    private static void state(Suite.Fixture fixture, Conversation conversation, List<String> problems)
            throws IOException, InterruptedException {
        for (Json.Obj wanted : fixture.state()) {
            String scope = wanted.string("scope");
            Json.Obj filter = wanted.object("filter");
            Json.Obj told = scope == null ? null : conversation.ask(scope, filter == null ? Json.Obj.of() : filter);
            if (told == null) {
                problems.add("the target does not tell about " + scope);
                continue;
            }
            Json.Obj rest = wanted.without("scope").without("filter").without("items");
            Json.Arr items = told.array("items");
            for (Json.Obj item : Suite.objects(wanted, "items")) {
                if (items == null || items.items().stream().noneMatch(one -> Wire.matches(item, one))) {
                    problems.add(scope + " has no " + item + " but " + items);
                }
            }
            if (!Wire.matches(rest, told)) {
                problems.add(scope + " is " + told + ", not " + rest);
            }
        }
    }

    private static Report.Result skipped(Suite.Fixture fixture, String reason) {
        return new Report.Result(
                fixture.path(), fixture.level(), fixture.profile(), Report.Status.SKIP, reason, Report.Result.Run.NONE);
    }

    private static Report.Result result(Suite.Fixture fixture, List<String> problems, Report.Result.Run run) {
        String reason = null;
        if (!problems.isEmpty()) {
            reason = String.join("; ", problems.subList(0, Math.min(REASONS_SHOWN, problems.size())));
            if (problems.size() > REASONS_SHOWN) {
                reason += "; and " + (problems.size() - REASONS_SHOWN) + " more";
            }
        }
        return new Report.Result(
                fixture.path(),
                fixture.level(),
                fixture.profile(),
                problems.isEmpty() ? Report.Status.PASS : Report.Status.FAIL,
                reason,
                run);
    }
}
