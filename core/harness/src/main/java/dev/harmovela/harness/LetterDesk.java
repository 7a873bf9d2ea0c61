package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.dimension.recovery.Letter;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.delivery.Attempts;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Dead letters: made when a delivery is given up, looked at, thrown away (§6, D34). Putting back is {@link
 * LetterReplay}.
 */
final class LetterDesk {

    /** Letters kept; one more and the oldest goes. */
    static final int MOST = 50_000;

    private static final String ID_PREFIX = "evt_";

    private final Shard shard;
    private final LetterReplay replay;
    private final LinkActs links;

    LetterDesk(Shard shard) {
        this.shard = shard;
        this.replay = new LetterReplay(shard);
        this.links = new LinkActs(shard);
    }

    /** Puts letters back or throws them away, as {@code action} says. */
    void act(Caller caller, String action, Json.Obj args, Consumer<Answer> done) {
        if (LinkActs.knows(action)) {
            links.act(caller, action, args, done);
            return;
        }
        ProtocolError refused =
                Policy.acting(action, shard.hub.callers().policy().rights(caller));
        if (refused != null) {
            shard.later(() -> done.accept(new Answer.Failed(refused)));
            return;
        }
        switch (action) {
            case Actions.DLQ_REPLAY -> replay.replay(caller, args, done);
            case Actions.DLQ_DISCARD -> discard(caller, String.valueOf(args.string("id")), done);
            default ->
                done.accept(new Answer.Failed(
                        ProtocolError.because(ErrorCode.NOT_SUPPORTED, "unknown_action", "no such action: " + action)));
        }
    }

    /** What links to brokers ask for. */
    LinkActs links() {
        return links;
    }

    // --- making

    /** The end of a delivery that failed for good; the death of a letter's own copy makes no letter (D33). */
    void giveUp(Feed feed, long seq, Event event, RecoveryFact.Failing last, String principal) {
        Subscription subscription = feed.route().subscription();
        Frame.Header header = Frame.Header.hub(shard.now(), subscription.tenant(), Replies.HUB, "dead letter");
        if (event.type().name().equals("event.dead_lettered")) {
            shard.append(header, List.of(), List.of(feed.settling().settled(seq, Outcome.DISCARDED)));
            return;
        }
        Event told = told(subscription, event, last);
        List<Fact> facts = new ArrayList<>();
        facts.add(feed.settling().settled(seq, Outcome.DEAD_LETTERED, principal, last.lsn()));
        facts.add(new LetterFact.Added(letter(told.id(), subscription, event, last)));
        if (shard.state.letters.count() >= MOST) {
            Letter oldest = shard.state.letters.all().iterator().next();
            facts.add(new LetterFact.Removed(oldest.id(), "too many"));
        }
        shard.append(header, List.of(told), facts);
    }

    private Letter letter(String id, Subscription subscription, Event event, RecoveryFact.Failing last) {
        DeliveryAsk.Again again = event.delivery().again();
        return new Letter(
                id,
                subscription.tenant(),
                subscription.id(),
                ownerOf(subscription),
                event.id(),
                event.type().name(),
                event.taskId(),
                event.correlationId(),
                last.lsn(),
                last.attempts(),
                last.firstFailedAt(),
                shard.now(),
                last.lastError(),
                again == null ? last.history() : Attempts.joined(again.history(), last.history()),
                again == null ? 0 : again.replays());
    }

    /** Identity behind a subscription. */
    String ownerOf(Subscription subscription) {
        Session session = shard.state.sessions.live(subscription.owner());
        return session == null ? subscription.owner() : session.identity();
    }

    private Event told(Subscription subscription, Event event, RecoveryFact.Failing last) {
        EventDraft draft = shard.replies
                .draft("event.dead_lettered")
                .taskId(event.taskId())
                .correlationId(event.correlationId())
                .causationId(event.id())
                .member("traceparent", event.member("traceparent"));
        return draft.payload(Json.Obj.builder()
                        .put("original_event_id", event.id())
                        .put("subscription_id", subscription.id())
                        .put("target", event.target())
                        .put("attempts", last.attempts())
                        .put("first_attempt_at", Timestamps.format(last.firstFailedAt()))
                        .put("last_attempt_at", Timestamps.format(shard.now()))
                        .put("last_error", last.lastError().toJson())
                        .put("history", last.history())
                        .put("original_event", whole(event))
                        .build())
                .build();
    }

    private static Json.Obj whole(Event event) {
        return (Json.Obj) Json.parse(event.bytes(), 0, event.bytes().length);
    }

    // --- looking

    /**
     * A page of the list, newest first, without the events themselves; the cursor is the last letter of the page
     * before.
     */
    Answer page(String tenant, Ask ask) {
        ProtocolError problem = LetterFilter.problem("", ask.filter());
        String after = ask.cursor();
        if (problem == null && after != null && !after.startsWith(ID_PREFIX)) {
            problem = ProtocolError.because(
                    ErrorCode.INVALID_PAYLOAD, "cursor_out_of_range", "this page cursor is not one of ours");
        }
        if (problem != null) {
            return new Answer.Failed(problem);
        }
        Predicate<Letter> wanted = LetterFilter.of(ask.filter());
        List<Letter> found = new ArrayList<>();
        for (Letter letter : List.copyOf(shard.state.letters.all()).reversed()) {
            boolean behind = after == null || letter.id().compareTo(after) < 0;
            if (behind && letter.tenant().equals(tenant) && wanted.test(letter)) {
                found.add(letter);
                if (found.size() > ask.limit()) {
                    break;
                }
            }
        }
        boolean more = found.size() > ask.limit();
        List<Letter> shown = more ? found.subList(0, ask.limit()) : found;
        return new Answer.Found(Json.Obj.builder()
                .put("items", rows(shown))
                .put("next_cursor", more ? Json.of(shown.getLast().id()) : Json.Null.NULL)
                .build());
    }

    Json.Arr rows(List<Letter> letters) {
        return new Json.Arr(
                letters.stream().<Json>map(letter -> row(letter).build()).toList());
    }

    /** One letter with its whole event, found by any of its ids. */
    void show(Caller caller, Rights rights, String id, Consumer<Answer> done) {
        List<Letter> found = shard.state.letters.about(caller.tenant(), id);
        if (found.isEmpty()) {
            shard.later(() -> done.accept(Questions.found(null, "dead letter", id)));
            return;
        }
        Letter letter = found.getLast();
        TenantPolicy policy = shard.hub.callers().quotas().of(caller.tenant());
        shard.deliveries.fetch(
                letter.lsn(),
                event -> shard.later(() -> done.accept(new Answer.Found(row(letter)
                        .put("original_event", event == null ? null : Redactor.json(whole(event), policy, rights))
                        .build()))));
    }

    private Json.Builder row(Letter letter) {
        return Json.Obj.builder()
                .put("id", letter.id())
                .put("original_event_id", letter.eventId())
                .put("type", letter.eventType())
                .put("task_id", letter.taskId())
                .put("correlation_id", letter.correlationId())
                .put("subscription_id", letter.subscription())
                .put("owner", letter.owner())
                .put("attempts", letter.attempts())
                .put("first_attempt_at", Timestamps.format(letter.firstAt()))
                .put("last_attempt_at", Timestamps.format(letter.lastAt()))
                .put("last_error", letter.lastError().toJson())
                .put("history", letter.history())
                .put("replays", letter.replays())
                .put("parked", letter.replays() >= LetterReplay.MOST_REPLAYS ? Json.of(true) : null)
                .put("cursor", shard.replies.cursor(letter.lsn()));
    }

    // --- throwing away

    /** Throws letters away, by any of their ids. */
    private void discard(Caller caller, String id, Consumer<Answer> done) {
        List<Letter> found = shard.state.letters.about(caller.tenant(), id);
        if (found.isEmpty()) {
            shard.later(() -> done.accept(new Answer.Failed(
                    ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "not_found", "no such dead letter")
                            .with("id", id))));
            return;
        }
        List<Fact> facts = new ArrayList<>();
        found.forEach(letter -> facts.add(new LetterFact.Removed(letter.id(), "discarded")));
        String actor = Pulls.owner(caller);
        shard.append(
                new Frame.Header(
                        shard.now(),
                        caller.tenant(),
                        actor,
                        "http",
                        "dlq",
                        "dlq.discard",
                        caller.credential().name()),
                List.of(),
                facts);
        Json.Obj body = Json.Obj.builder().put("discarded", found.size()).build();
        shard.later(() -> done.accept(new Answer.Found(body)));
    }
}
