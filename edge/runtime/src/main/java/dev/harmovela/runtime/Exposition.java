package dev.harmovela.runtime;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.harness.HubFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The figures of a hub as Prometheus text.
 *
 * <p>Every series is there from the beginning and none is ever added: labels have values from lists that are known,
 * never an id, a name or a tenant (OBS-03).
 */
final class Exposition {

    /** Media type of {@link #render}. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String OTHER = "other";
    private static final List<String> TRANSPORTS = List.of("websocket", "sse", "grpc", "http");
    private static final List<String> GAPS = List.of("retention", "lag", "lag_events", "lag_bytes", "lag_age");
    private static final List<String> LAGGED = List.of("gap", "park", "end");
    private static final double MILLIS_PER_SECOND = 1000;

    /**
     * What is shown.
     *
     * @param figures of the hub
     * @param ready whether it takes work
     * @param sockets open connections of the port, those of single requests included
     */
    record Moment(HubFigures figures, boolean ready, int sockets) {}

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private Moment now;

    Exposition(Moment first) {
        now = first;
        process();
        events();
        deliveries();
        times("harmovela.delivery.latency", "From stored to acknowledged.", HubFigures::latency);
        population();
        log();
    }

    /** The text for one moment. Blocks for a few milliseconds; one thread at a time. */
    synchronized String render(Moment moment) {
        now = moment;
        return registry.scrape();
    }

    // --- what there is

    private void process() {
        new UptimeMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        Gauge.builder("harmovela.ready", this, self -> self.now.ready() ? 1 : 0)
                .description("1 while the hub takes work.")
                .register(registry);
    }

    private void events() {
        counter("harmovela.events.published", "Events taken.", HubFigures::published, "mode", "stored");
        counter("harmovela.events.published", "Events taken.", HubFigures::bestEffort, "mode", "best_effort");
        for (ErrorCode code : ErrorCode.values()) {
            counter(
                    "harmovela.refusals",
                    "Inputs refused.",
                    figures -> figures.refusals().getOrDefault(code, 0L),
                    "code",
                    code.wire());
        }
    }

    private void deliveries() {
        Map<String, ToLongFunction<HubFigures.Deliveries>> outcomes = new TreeMap<>();
        outcomes.put("acknowledged", HubFigures.Deliveries::acknowledged);
        outcomes.put("dead_lettered", HubFigures.Deliveries::deadLettered);
        outcomes.put("expired", HubFigures.Deliveries::expired);
        outcomes.put("discarded", HubFigures.Deliveries::discarded);
        outcomes.forEach((outcome, count) -> counter(
                "harmovela.deliveries",
                "Deliveries that ended.",
                figures -> count.applyAsLong(figures.deliveries()),
                "outcome",
                outcome));
        counter(
                "harmovela.redeliveries",
                "Failures that led to another attempt.",
                figures -> figures.deliveries().redelivered());
        gauge(
                "harmovela.deliveries.pending",
                "Deliveries that have not ended.",
                figures -> figures.deliveries().pending());
        gauge(
                "harmovela.deliveries.in.flight",
                "Deliveries handed out and not settled.",
                figures -> figures.deliveries().inFlight());
        gauge(
                "harmovela.dead.letters",
                "Dead letters kept.",
                figures -> figures.population().letters());
        for (String reason : GAPS) {
            counter(
                    "harmovela.subscription.gaps",
                    "Times a subscription lost what it had not read.",
                    figures -> figures.gaps().getOrDefault(reason, 0L),
                    "reason",
                    reason);
        }
        counter(
                "harmovela.subscription.gaps",
                "Times a subscription lost what it had not read.",
                figures -> others(figures.gaps(), GAPS),
                "reason",
                OTHER);
        for (String action : LAGGED) {
            counter(
                    "harmovela.subscription.lagged",
                    "Times a subscription passed a bound of its own.",
                    figures -> figures.lagged().getOrDefault(action, 0L),
                    "action",
                    action);
        }
    }

    private void population() {
        counter("harmovela.sessions.timed.out", "Sessions whose peer fell silent.", HubFigures::sessionTimeouts);
        for (boolean attached : new boolean[] {true, false}) {
            gauge(
                    "harmovela.sessions",
                    "Live sessions.",
                    figures -> figures.population().sessions().getOrDefault(attached, 0L),
                    "attached",
                    Boolean.toString(attached));
        }
        for (HubFigures.Reading reading : HubFigures.Reading.values()) {
            gauge(
                    "harmovela.subscriptions",
                    "Subscriptions, inboxes and groups included.",
                    figures -> figures.population().subscriptions().getOrDefault(reading, 0L),
                    "state",
                    reading.name().toLowerCase(Locale.ROOT));
        }
        for (String transport : TRANSPORTS) {
            gauge(
                    "harmovela.connections",
                    "Wires of the hub.",
                    figures -> figures.population().connections().getOrDefault(transport, 0L),
                    "transport",
                    transport);
        }
        gauge(
                "harmovela.connections",
                "Wires of the hub.",
                figures -> others(figures.population().connections(), TRANSPORTS),
                "transport",
                OTHER);
        Gauge.builder("harmovela.sockets", this, self -> self.now.sockets())
                .description("Open connections of the port.")
                .register(registry);
        gauge(
                "harmovela.conformance.spaces",
                "Conformance sessions.",
                figures -> figures.population().spaces());
    }

    private void log() {
        Gauge.builder(
                        "harmovela.journal.size",
                        this,
                        self -> self.now.figures().log().bytes())
                .description("Bytes of the log on disk.")
                .baseUnit("bytes")
                .register(registry);
        String position = "Positions of the log.";
        gauge("harmovela.journal.lsn", position, figures -> figures.log().firstLsn(), "position", "first");
        gauge("harmovela.journal.lsn", position, figures -> figures.log().durableLsn(), "position", "durable");
        gauge("harmovela.journal.lsn", position, figures -> figures.log().lastLsn(), "position", "last");
        gauge(
                "harmovela.outputs.waiting",
                "Answers and copies that wait for the disk.",
                figures -> figures.log().waitingOutputs());
        times(
                "harmovela.journal.commit",
                "From the end of a batch until it is durable.",
                figures -> figures.log().forces());
    }

    // --- how it is shown

    private static long others(Map<String, Long> counts, List<String> known) {
        return counts.entrySet().stream()
                .filter(entry -> !known.contains(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void counter(String name, String what, ToLongFunction<HubFigures> figure, String... tags) {
        FunctionCounter.builder(name, this, self -> figure.applyAsLong(self.now.figures()))
                .description(what)
                .tags(tags)
                .register(registry);
    }

    private void gauge(String name, String what, ToLongFunction<HubFigures> figure, String... tags) {
        Gauge.builder(name, this, self -> figure.applyAsLong(self.now.figures()))
                .description(what)
                .tags(tags)
                .register(registry);
    }

    /** Count and sum under the name itself, percentiles beside it. */
    private void times(String name, String what, Function<HubFigures, HubFigures.Times> figure) {
        FunctionTimer.builder(
                        name,
                        this,
                        self -> figure.apply(self.now.figures()).count(),
                        self -> figure.apply(self.now.figures()).sumSeconds(),
                        TimeUnit.SECONDS)
                .description(what)
                .register(registry);
        Map<String, ToDoubleFunction<HubFigures.Times>> quantiles = new TreeMap<>();
        quantiles.put("0.5", HubFigures.Times::p50);
        quantiles.put("0.9", HubFigures.Times::p90);
        quantiles.put("0.99", HubFigures.Times::p99);
        quantiles.put("0.999", HubFigures.Times::p999);
        quantiles.put("1", HubFigures.Times::max);
        quantiles.forEach((quantile, millis) -> Gauge.builder(
                        name + ".quantile",
                        this,
                        self -> millis.applyAsDouble(figure.apply(self.now.figures())) / MILLIS_PER_SECOND)
                .description(what)
                .baseUnit("seconds")
                .tags(List.of(Tag.of("quantile", quantile)))
                .register(registry));
    }
}
