package dev.harmovela.harness;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.delivery.Feed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long events took from being stored to being acknowledged, since this run began (D33).
 *
 * <p>One histogram for the hub, one for each of the first {@value #MOST_TENANTS} tenants, and a coarser one for each
 * subscription that has acknowledged something, for the first {@value #MOST} of those that live: memory is bounded and
 * an idle subscription costs none. One owner, not thread-safe.
 */
final class Latencies {

    static final int MOST = 256;
    static final int MOST_TENANTS = 64;

    private static final long LONGEST_MICROS = TimeUnit.DAYS.toMicros(7);
    private static final int HUB_DIGITS = 3;
    private static final int SUBSCRIPTION_DIGITS = 2;
    private static final double MICROS_PER_MILLI = 1000;

    private final Map<Feed, Histogram> bySubscription = new HashMap<>();
    private final Map<String, Histogram> byTenant = new HashMap<>();
    private @Nullable Histogram hub;

    void record(Feed feed, long nanos) {
        long micros = Math.clamp(TimeUnit.NANOSECONDS.toMicros(nanos), 0, LONGEST_MICROS);
        if (hub == null) {
            hub = new Histogram(1, LONGEST_MICROS, HUB_DIGITS);
        }
        hub.recordValue(micros);
        Histogram tenant = ofTenant(feed.route().subscription().tenant());
        if (tenant != null) {
            tenant.recordValue(micros);
        }
        Histogram own = bySubscription.get(feed);
        if (own == null) {
            if (bySubscription.size() >= MOST) {
                return;
            }
            own = new Histogram(SUBSCRIPTION_DIGITS);
            bySubscription.put(feed, own);
        }
        own.recordValue(micros);
    }

    private @Nullable Histogram ofTenant(String tenant) {
        Histogram known = byTenant.get(tenant);
        if (known == null && byTenant.size() < MOST_TENANTS) {
            known = new Histogram(HUB_DIGITS);
            byTenant.put(tenant, known);
        }
        return known;
    }

    void forget(Feed feed) {
        bySubscription.remove(feed);
    }

    /** Subscriptions with a histogram of their own. */
    int kept() {
        return bySubscription.size();
    }

    /** All subscriptions together. */
    HubFigures.Times hub() {
        return times(hub);
    }

    Json.Obj tenantJson(String tenant) {
        return json(byTenant.get(tenant));
    }

    Json.Obj json(Feed feed) {
        return json(bySubscription.get(feed));
    }

    static HubFigures.Times times(@Nullable Histogram from) {
        return from == null
                ? HubFigures.Times.NONE
                : new HubFigures.Times(
                        from.getTotalCount(),
                        from.getMean() * from.getTotalCount() / TimeUnit.SECONDS.toMicros(1),
                        millis(from.getValueAtPercentile(50)),
                        millis(from.getValueAtPercentile(90)),
                        millis(from.getValueAtPercentile(99)),
                        millis(from.getValueAtPercentile(99.9)),
                        millis(from.getMaxValue()));
    }

    private static Json.Obj json(@Nullable Histogram from) {
        HubFigures.Times times = times(from);
        Json.Builder told = Json.Obj.builder();
        if (times.count() == 0) {
            List.of("p50", "p90", "p99", "p999", "max").forEach(name -> told.put(name, Json.Null.NULL));
            return told.build();
        }
        return told.put("p50", times.p50())
                .put("p90", times.p90())
                .put("p99", times.p99())
                .put("p999", times.p999())
                .put("max", times.max())
                .build();
    }

    private static double millis(long micros) {
        return micros / MICROS_PER_MILLI;
    }
}
