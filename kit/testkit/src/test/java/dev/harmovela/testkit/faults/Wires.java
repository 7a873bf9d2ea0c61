package dev.harmovela.testkit.faults;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.task.TaskPolicy;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.harness.HubConfig.Bounds;
import dev.harmovela.testkit.hub.TestHub;
import dev.harmovela.testkit.hub.TestWire;
import java.util.List;

/** What the fault tests do with wires, many events at a time. */
final class Wires {

    private static final int BATCH = 500;

    private Wires() {}

    /** A hub whose newest events fill a ring of this size; older ones are in the log alone. */
    static HubConfig config(long ringBytes) {
        HubConfig base = HubConfig.defaults(List.of("websocket"));
        return config(ringBytes, base.bounds().retention(), base.tasks());
    }

    /** The same with so much history, and no more for those who lag. */
    static HubConfig config(long ringBytes, HubConfig.Retention history, TaskPolicy tasks) {
        HubConfig base = HubConfig.defaults(List.of("websocket"));
        Bounds b = base.bounds();
        Bounds small = new Bounds(
                ringBytes,
                b.duplicates(),
                b.windowBytes(),
                b.maxInFlight(),
                b.maxSessions(),
                b.maxSessionsPerIdentity(),
                b.maxSessionsPerWire(),
                b.maxSubscriptions(),
                b.maxSubscriptionsPerSession(),
                b.maxConformanceSpaces(),
                b.resumeWindowMillis(),
                b.readyTimeoutMillis(),
                history,
                history,
                b.audit());
        return new HubConfig(base.registry(), base.limits(), base.offer(), base.retry(), tasks, small);
    }

    /** Publishes {@code context.updated} with the numbers {@code from} to {@code to} in large batches. */
    static void publish(TestHub hub, TestWire wire, int from, int to) {
        String time = Timestamps.format(hub.now());
        for (int n = from; n <= to; n++) {
            wire.feed("{\"spec_version\":\"0.2\",\"id\":\"n" + n
                    + "\",\"type\":\"context.updated\",\"source\":\"agent:p\"," + "\"created_at\":\"" + time
                    + "\",\"payload\":{\"n\":" + n + "}}");
            if (n % BATCH == 0) {
                wire.end();
                wire.clear();
            }
        }
        wire.end();
        wire.clear();
    }

    /** Acknowledges in one batch. */
    static void ack(TestHub hub, TestWire wire, List<Json.Obj> deliveries) {
        String time = Timestamps.format(hub.now());
        for (Json.Obj one : deliveries) {
            wire.feed("{\"spec_version\":\"0.2\",\"id\":\"ack_" + one.string("id") + "_" + attempt(one)
                    + "\",\"type\":\"event.acknowledged\",\"source\":\"agent:c\",\"created_at\":\"" + time
                    + "\",\"payload\":{\"acknowledged_event_id\":\"" + one.string("id") + "\",\"subscription_id\":\""
                    + one.object("delivery").string("subscription_id") + "\"}}");
        }
        wire.end();
    }

    /** Takes the copies that came since the last time. */
    static List<Json.Obj> take(TestWire wire) {
        List<Json.Obj> copies = wire.deliveries();
        wire.clear();
        return copies;
    }

    /** Opens a session again on a wire of its own. */
    static TestWire resume(TestHub hub, String identity, String session) {
        TestWire wire = hub.wire();
        wire.raw("{\"type\":\"session.open\",\"source\":\"" + identity + "\",\"session_id\":\"" + session + "\"}");
        return wire;
    }

    static long sequence(Json.Obj delivery) {
        return delivery.object("delivery").integer("sequence");
    }

    static long attempt(Json.Obj delivery) {
        return delivery.object("delivery").integer("attempt");
    }

    static long number(Json.Obj event) {
        return event.object("payload").integer("n");
    }
}
