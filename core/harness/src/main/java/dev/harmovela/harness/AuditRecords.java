package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.SessionFact;
import dev.harmovela.dimension.event.SessionState;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.dimension.governance.GovernanceFact;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.HubStarted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a frame says to an audit (§7): one record for each step of a session, subscription or task, for each delivery
 * that ended, for each event that changed nothing but was stored, and for each refusal.
 *
 * <p>The frame is the audit; a record is how it is told. The same frame gives the same records in the same order,
 * whether it still has its bodies or not.
 */
final class AuditRecords {

    /** One record; the members that a filter looks at stand beside it. */
    record Row(
            String type,
            Json.Builder json,
            @Nullable Event about,
            long aboutLsn,
            @Nullable String taskId) {}

    private static final String DENIED = "denied";
    private static final String ALLOWED = "allowed";

    private final Frame frame;
    private final LongFunction<@Nullable Event> events;
    private final List<Row> rows = new ArrayList<>();

    private AuditRecords(Frame frame, LongFunction<@Nullable Event> events) {
        this.frame = frame;
        this.events = events;
    }

    /**
     * The records of a frame.
     *
     * @param events finds the event at a position, if that can be done without much ado
     */
    static List<Row> of(Frame frame, LongFunction<@Nullable Event> events) {
        AuditRecords records = new AuditRecords(frame, events);
        records.collect();
        return records.rows;
    }

    private void collect() {
        Set<Long> told = new HashSet<>();
        for (Fact fact : frame.facts()) {
            Tasks.Step step = Tasks.step(fact);
            if (step != null) {
                told.add(step.lsn());
                step(step);
            } else {
                fact(fact, told);
            }
        }
        for (int i = 0; i < frame.events().size(); i++) {
            long lsn = frame.firstLsn() + i;
            if (!told.contains(lsn)) {
                Event event = frame.events().get(i);
                add(event.type().name(), about(event), event, lsn, event.taskId());
            }
        }
    }

    private void fact(Fact fact, Set<Long> told) {
        switch (fact) {
            case HubStarted started ->
                add("hub.started", record("start").put("resource", "hub").put("epoch", started.epoch()));
            case SessionFact session -> session(session);
            case SubscriptionFact subscription -> subscription(subscription);
            case RecoveryFact recovery -> recovery(recovery);
            case LetterFact.Added added -> told.add(frame.firstLsn());
            case LetterFact.Removed removed ->
                add(
                        "dlq.removed",
                        record("dlq")
                                .put("resource", "dead_letter:" + removed.letterId())
                                .put("reason", removed.reason()));
            case GovernanceFact.Denied denied -> denied(denied);
            case GovernanceFact.Passed passed -> passed(passed);
            default -> {
                // bookkeeping that nobody outside can see
            }
        }
    }

    // --- one record

    private Json.Builder record(String action) {
        Frame.Header header = frame.header();
        return Json.Obj.builder()
                .put("time", Timestamps.format(header.now()))
                .put("tenant", header.tenant())
                .put("actor", header.principal())
                .put("transport", header.transport())
                .put("transport_identity", header.credential())
                .put("action", action)
                .put("decision", ALLOWED)
                .put("authority", header.authority())
                .put("cause", header.cause());
    }

    private Json.Builder about(Event event) {
        return with(record(frame.header().authority()), event);
    }

    private static Json.Builder with(Json.Builder record, @Nullable Event event) {
        if (event == null) {
            return record;
        }
        return record.put("event_id", event.id())
                .put("source", event.source())
                .put("target", event.target())
                .put("task_id", event.taskId())
                .put("correlation_id", event.correlationId())
                .put("causation_id", event.causationId());
    }

    private void add(String type, Json.Builder record) {
        add(type, record, null, 0, null);
    }

    private void add(String type, Json.Builder record, @Nullable Event about, long lsn, @Nullable String taskId) {
        rows.add(new Row(type, record, about, lsn, taskId));
    }

    private void step(Tasks.Step step) {
        Event event = eventAt(step.lsn());
        Json.Builder record = with(record("task"), event)
                .put("task_id", step.taskId())
                .put("resource", "task:" + step.taskId())
                .put("reason", step.reason());
        if (step.actor() != null) {
            record.put("owner", step.actor());
        }
        add(step.type(), record, event, step.lsn(), step.taskId());
    }

    private @Nullable Event eventAt(long lsn) {
        long index = lsn - frame.firstLsn();
        return index >= 0 && index < frame.events().size() ? frame.events().get((int) index) : events.apply(lsn);
    }

    private void session(SessionFact fact) {
        switch (fact) {
            case SessionFact.Opened opened -> {
                String identity = opened.session().identity();
                add("session.opened", session(opened.session().id()).put("source", identity));
            }
            case SessionFact.Ready ready -> add("session.ready", session(ready.sessionId()));
            case SessionFact.Ended ended ->
                add(
                        ended.state() == SessionState.ERROR ? "session.error" : "session.closed",
                        session(ended.sessionId()).put("reason", ended.reason()));
        }
    }

    private Json.Builder session(String id) {
        return record("session").put("resource", "session:" + id).put("session_id", id);
    }

    private void subscription(SubscriptionFact fact) {
        switch (fact) {
            case SubscriptionFact.Created created ->
                add(
                        "subscription.created",
                        subscribed(created.subscription().id())
                                .put("target", created.subscription().owner())
                                .put("filter", created.subscription().filter()));
            case SubscriptionFact.Removed removed ->
                add(
                        removed.reason().equals("cancelled") ? "subscription.cancelled" : "subscription.expired",
                        subscribed(removed.subscriptionId()).put("reason", removed.reason()));
            case SubscriptionFact.Adopted adopted ->
                add(
                        "subscription.adopted",
                        subscribed(adopted.subscriptionId()).put("session_id", adopted.sessionId()));
            case SubscriptionFact.Joined joined ->
                add("subscription.joined", subscribed(joined.subscriptionId()).put("session_id", joined.sessionId()));
            case SubscriptionFact.Left left ->
                add("subscription.left", subscribed(left.subscriptionId()).put("session_id", left.sessionId()));
        }
    }

    private Json.Builder subscribed(String id) {
        return record("subscribe").put("resource", "subscription:" + id).put("subscription_id", id);
    }

    // --- deliveries

    private void recovery(RecoveryFact fact) {
        switch (fact) {
            case RecoveryFact.Settled settled -> settled(settled);
            case RecoveryFact.Failed failed ->
                delivery(
                        "event.rejected",
                        failed.subscription(),
                        failed.failing().lsn(),
                        "failed",
                        record -> by(record, failed.principal())
                                .put("sequence", failed.seq())
                                .put("attempts", (long) failed.failing().attempts())
                                .put("reason", failed.failing().lastError().wireCode()));
            case RecoveryFact.Skipped skipped ->
                delivery(
                        "event." + word(skipped.outcome()),
                        skipped.subscription(),
                        skipped.lsn(),
                        word(skipped.outcome()),
                        record -> record);
            case RecoveryFact.Gap gap ->
                add(
                        "delivery.gap",
                        record("deliver")
                                .put("resource", "subscription:" + gap.subscription())
                                .put("subscription_id", gap.subscription())
                                .put("reason", gap.reason())
                                .put("delivery_status", "lost"));
            case RecoveryFact.Started _, RecoveryFact.Ended _, RecoveryFact.Moved _, RecoveryFact.Balanced _ -> {
                // the subscription's own records tell
            }
        }
    }

    private static String word(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /** One record for each delivery of the ranges (D41). */
    private void settled(RecoveryFact.Settled fact) {
        int number = 0;
        long[] ranges = fact.ranges();
        for (int i = 0; i < ranges.length; i += 2) {
            for (long seq = ranges[i]; seq <= ranges[i + 1]; seq++) {
                long lsn = number < fact.lsns().length ? fact.lsns()[number] : 0;
                number++;
                long sequence = seq;
                String status = word(fact.outcome());
                delivery("event." + status, fact.subscription(), lsn, status, record -> {
                    record.put("sequence", sequence);
                    return by(record, fact.principal());
                });
            }
        }
    }

    /** What a consumer said is its own, although the hub writes it down with others. */
    private static Json.Builder by(Json.Builder record, String principal) {
        return principal.isEmpty() ? record : record.put("actor", principal);
    }

    private void delivery(
            String type,
            String subscription,
            long lsn,
            String status,
            java.util.function.UnaryOperator<Json.Builder> more) {
        Event event = lsn > 0 ? events.apply(lsn) : null;
        Json.Builder record = with(record("deliver"), event)
                .put("resource", "subscription:" + subscription)
                .put("subscription_id", subscription)
                .put("delivery_status", status);
        add(type, more.apply(record), event, lsn, event == null ? null : event.taskId());
    }

    // --- refusals

    private void denied(GovernanceFact.Denied fact) {
        GovernanceFact.Origin origin = fact.origin();
        GovernanceFact.Asked what = fact.what();
        Json.Builder record = asked(fact.at(), origin, what)
                .put("claimed_identity", text(origin.claimed()))
                .put("actor_tenant", origin.tenant())
                .put("target_tenant", text(what.tenant()))
                .put("decision", DENIED)
                .put("authority", "hub")
                .put("code", fact.error())
                .put("reason", fact.reason())
                .put("source", text(origin.claimed()));
        if (fact.count() > 1) {
            record.put("count", fact.count());
        }
        add(what.type().isEmpty() ? DENIED : what.type(), record, null, 0, text(what.taskId()));
    }

    private Json.Builder asked(long at, GovernanceFact.Origin origin, GovernanceFact.Asked what) {
        return record(what.action())
                .put("time", Timestamps.format(at))
                .put("actor", origin.principal())
                .put("transport", origin.transport())
                .put("transport_identity", origin.credential())
                .put("event_id", text(what.eventId()))
                .put("target", text(what.target()))
                .put("correlation_id", text(what.correlationId()))
                .put("causation_id", text(what.causationId()))
                .put("task_id", text(what.taskId()));
    }

    /** What left no event behind is told from what was noted of it. */
    private void passed(GovernanceFact.Passed fact) {
        Json.Builder record = asked(fact.at(), fact.origin(), fact.what())
                .put("source", fact.origin().principal())
                .put("authority", fact.what().action())
                .put("cause", "best effort");
        add(fact.what().type(), record, null, 0, text(fact.what().taskId()));
    }

    private static @Nullable String text(String value) {
        return value.isEmpty() ? null : value;
    }
}
