package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.recovery.Letter;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.delivery.Delivery;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.delivery.Held;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers what became of deliveries that have not ended: handed out ({@code due_at} is the end of its acknowledgement
 * time), between two attempts ({@code due_at} is the next one), or still waiting to be handed out (one row for each
 * subscription). Which event a row speaks of is read from the log, away from the owner.
 */
final class OpenDeliveries {

    private static final int MOST = 10_000;
    private static final String IN_FLIGHT = "in_flight";
    private static final String RETRYING = "retrying";
    private static final String WAITING = "waiting";
    private static final String DEAD = "dead";

    private final Shard shard;

    OpenDeliveries(Shard shard) {
        this.shard = shard;
    }

    /** A row before its event is known; {@code lsn} 0 when it speaks of several events. */
    private record Row(Feed feed, long lsn, @Nullable Event event, Json.Builder told) {}

    void ask(Caller caller, Ask ask, Consumer<Answer> done) {
        List<Row> rows = rows(caller, ask.filter());
        List<Json.Obj> dead = asksForDead(ask.filter()) ? dead(caller) : List.of();
        LogReader log = new LogReader(shard);
        shard.later(() -> shard.hub.reading().execute(() -> {
            List<Json.Obj> told = new ArrayList<>();
            for (Row row : rows) {
                Event event = row.event() == null && row.lsn() > 0 ? log.find(row.lsn()) : row.event();
                told.add(row(row, event));
            }
            told.addAll(dead);
            shard.hub.onOwner(shard, () -> done.accept(Questions.page(ask, told)));
        }));
    }

    /**
     * Dead letters are no open deliveries; whoever asks for them, or for the fate of one event or task, sees them too.
     */
    private static boolean asksForDead(Json.Obj filter) {
        String state = filter.string("state");
        boolean one = filter.string("event_id") != null || filter.string("task_id") != null;
        return state == null ? one : state.equals(DEAD);
    }

    /** The letters of one's own subscriptions, or all of the tenant by right. */
    private List<Json.Obj> dead(Caller caller) {
        boolean all = shard.hub.callers().policy().rights(caller).holds(Actions.DLQ_READ);
        List<Json.Obj> rows = new ArrayList<>();
        for (Letter letter : shard.state.letters.all()) {
            boolean own = letter.owner().equals(Pulls.owner(caller));
            if (letter.tenant().equals(caller.tenant()) && (all || own) && rows.size() < MOST) {
                rows.add(Json.Obj.builder()
                        .put("state", DEAD)
                        .put("subscription_id", letter.subscription())
                        .put("owner", letter.owner())
                        .put("letter_id", letter.id())
                        .put("event_id", letter.eventId())
                        .put("type", letter.eventType())
                        .put("task_id", letter.taskId())
                        .put("attempt", letter.attempts())
                        .put("dead_lettered_at", Timestamps.format(letter.lastAt()))
                        .put("last_error", letter.lastError().toJson())
                        .put("cursor", shard.replies.cursor(letter.lsn()))
                        .build());
            }
        }
        return rows;
    }

    private static Json.Obj row(Row row, @Nullable Event event) {
        if (event == null) {
            return row.told().build();
        }
        return row.told()
                .put("event_id", event.id())
                .put("type", event.type().name())
                .put("task_id", event.taskId())
                .put("max_attempts", Delivery.retry(row.feed().route(), event).maxAttempts())
                .build();
    }

    private List<Row> rows(Caller caller, Json.Obj filter) {
        String subscription = filter.string("subscription_id");
        String task = filter.string("task_id");
        List<Row> rows = new ArrayList<>();
        for (Feed feed : shard.feeds.values()) {
            Subscription one = feed.route().subscription();
            boolean wanted = subscription == null || subscription.equals(one.id());
            if (wanted && rows.size() < MOST && shard.pulls.sees(caller, one)) {
                addOpen(feed, rows);
                addWaiting(feed, task, rows);
            }
        }
        return rows;
    }

    private void addOpen(Feed feed, List<Row> rows) {
        Set<Long> handedOut = new HashSet<>();
        for (Held held : feed.held()) {
            handedOut.add(held.seq());
            RecoveryFact.Failing before = feed.route().position().failing().get(held.seq());
            rows.add(row(
                    feed,
                    held.lsn(),
                    about(feed, IN_FLIGHT)
                            .put("sequence", held.seq())
                            .put("attempt", held.attempt())
                            .put("due_at", Timestamps.format(held.deadline()))
                            .put(
                                    "last_error",
                                    before == null ? null : before.lastError().toJson())));
        }
        feed.route().position().failing().forEach((seq, failing) -> {
            if (!handedOut.contains(seq)) {
                rows.add(row(
                        feed,
                        failing.lsn(),
                        about(feed, RETRYING)
                                .put("sequence", seq)
                                .put("attempt", failing.attempts() + 1)
                                .put("due_at", Timestamps.format(failing.notBefore()))
                                .put("next_retry_at", Timestamps.format(failing.notBefore()))
                                .put("last_error", failing.lastError().toJson())));
            }
        });
    }

    /** What nobody has been handed yet; of a task, when its owner or target is the one that is waited for. */
    private void addWaiting(Feed feed, @Nullable String task, List<Row> rows) {
        Subscription one = feed.route().subscription();
        Set<Long> open = new HashSet<>(feed.route().position().failing().keySet());
        feed.held().forEach(held -> open.add(held.seq()));
        long waiting = feed.route().position().pending() - open.size();
        if (waiting <= 0 || (task != null && !waitsFor(one, task))) {
            return;
        }
        String why = feed.stalled();
        rows.add(new Row(
                feed,
                0,
                null,
                about(feed, WAITING)
                        .put("task_id", task)
                        .put("events", waiting)
                        .put("reason", why == null ? "reading" : why)));
    }

    private boolean waitsFor(Subscription one, String task) {
        Json.Obj known = shard.state.tasks.describe(one.tenant(), task);
        return known != null
                && one.kind() == Subscription.Kind.INBOX
                && !Boolean.TRUE.equals(known.bool("terminal"))
                && (one.owner().equals(known.string("owner")) || one.owner().equals(known.string("target")));
    }

    private Json.Builder about(Feed feed, String state) {
        Subscription one = feed.route().subscription();
        return Json.Obj.builder()
                .put("state", state)
                .put("subscription_id", one.id())
                .put("owner", shard.letters.ownerOf(one))
                .put("attached", feed.isAttached());
    }

    private Row row(Feed feed, long lsn, Json.Builder told) {
        Event recent = shard.ring.holds(lsn) ? shard.ring.at(lsn) : null;
        return new Row(feed, lsn, recent, told.put("cursor", shard.replies.cursor(lsn)));
    }
}
