package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Letter;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.dimension.recovery.Outcome;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.delivery.Attempts;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Caller;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters: made when a delivery is given up, looked at, put back, thrown away (§6, D34).
 *
 * <p>Putting back moves: the event is stored a second time for that one subscription and the letter goes, in one frame.
 */
final class LetterDesk {

    private static final int MOST = 50_000;
    private static final int MOST_REPLAYS = 5;
    private static final int DEFAULT_BATCH = 100;

    private final Shard shard;
    private final ArrayDeque<String> queue = new ArrayDeque<>();
    private long perSecond;
    private int batch = DEFAULT_BATCH;
    private boolean running;

    LetterDesk(Shard shard) {
        this.shard = shard;
    }

    // --- making

    /** The end of a delivery that failed for good; the death of a letter's own copy makes no letter (D33). */
    void giveUp(Feed feed, long seq, Event event, RecoveryFact.Failing last) {
        Subscription subscription = feed.route().subscription();
        Frame.Header header =
                new Frame.Header(shard.now(), subscription.tenant(), Replies.HUB, "", "hub", "dead letter");
        if (event.type().name().equals("event.dead_lettered")) {
            shard.append(header, List.of(), List.of(feed.settling().settled(seq, Outcome.DISCARDED)));
            return;
        }
        Event told = told(subscription, event, last);
        List<Fact> facts = new ArrayList<>();
        facts.add(feed.settling().settled(seq, Outcome.DEAD_LETTERED));
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

    private String ownerOf(Subscription subscription) {
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

    private static Json whole(Event event) {
        return Json.parse(event.bytes(), 0, event.bytes().length);
    }

    // --- looking

    /** Rows of the list, newest first, without the events themselves. */
    List<Json.Obj> rows(String tenant, Json.Obj filter) {
        Predicate<Letter> wanted = wanted(filter);
        List<Json.Obj> rows = new ArrayList<>();
        for (Letter letter : shard.state.letters.all()) {
            if (letter.tenant().equals(tenant) && wanted.test(letter)) {
                rows.add(row(letter).build());
            }
        }
        return rows.reversed();
    }

    /** One letter with its whole event, found by any of its ids. */
    void show(String tenant, String id, Consumer<Answer> done) {
        List<Letter> found = shard.state.letters.about(tenant, id);
        if (found.isEmpty()) {
            shard.later(() -> done.accept(Questions.found(null, "dead letter", id)));
            return;
        }
        Letter letter = found.getLast();
        shard.deliveries.fetch(
                letter.lsn(),
                event -> shard.later(() -> done.accept(new Answer.Found(row(letter)
                        .put("original_event", event == null ? null : whole(event))
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
                .put("parked", letter.replays() >= MOST_REPLAYS ? Json.of(true) : null)
                .put("cursor", shard.replies.cursor(letter.lsn()));
    }

    private static Predicate<Letter> wanted(Json.Obj filter) {
        List<TypePattern> types = filter.strings("types").stream()
                .filter(text -> TypePattern.problem(text) == null)
                .map(TypePattern::parse)
                .toList();
        Predicate<Letter> all =
                letter -> types.isEmpty() || types.stream().anyMatch(pattern -> pattern.matches(letter.eventType()));
        String type = filter.string("type");
        if (type != null && TypePattern.problem(type) == null) {
            TypePattern pattern = TypePattern.parse(type);
            all = all.and(letter -> pattern.matches(letter.eventType()));
        }
        all = all.and(same(filter.string("task_id"), Letter::taskId));
        all = all.and(same(filter.string("subscription_id"), Letter::subscription));
        all = all.and(same(filter.string("correlation_id"), Letter::correlationId));
        all = all.and(same(filter.string("owner"), Letter::owner));
        all = all.and(same(filter.string("code"), letter -> letter.lastError().wireCode()));
        long from = time(filter.string("from"), Long.MIN_VALUE);
        long to = time(filter.string("to"), Long.MAX_VALUE);
        return all.and(letter -> letter.lastAt() >= from && letter.lastAt() <= to);
    }

    private static Predicate<Letter> same(
            @Nullable String wanted, java.util.function.Function<Letter, @Nullable String> field) {
        return letter -> wanted == null || wanted.equals(field.apply(letter));
    }

    private static long time(@Nullable String text, long otherwise) {
        long parsed = text == null ? Timestamps.INVALID : Timestamps.parse(text);
        return parsed == Timestamps.INVALID ? otherwise : parsed;
    }

    // --- putting back and throwing away

    /**
     * Puts letters back. Members: {@code event_ids} (ids of letters, events or tasks), or {@code filter}, {@code from},
     * {@code to}; {@code limit}, {@code batch_size}, {@code max_per_second}, {@code dry_run}.
     */
    void replay(Caller caller, Json.Obj args, Consumer<Answer> done) {
        ProtocolError problem = problem(args);
        if (problem != null) {
            shard.later(() -> done.accept(new Answer.Failed(problem)));
            return;
        }
        List<Letter> chosen = chosen(caller.tenant(), args);
        List<Letter> parked =
                chosen.stream().filter(one -> one.replays() >= MOST_REPLAYS).toList();
        List<Letter> ready =
                chosen.stream().filter(one -> one.replays() < MOST_REPLAYS).toList();
        boolean dry = Boolean.TRUE.equals(args.bool("dry_run"));
        if (!dry) {
            Long rate = args.integer("max_per_second") == null
                    ? args.integer("rate_per_s")
                    : args.integer("max_per_second");
            Long size = args.integer("batch_size");
            perSecond = rate == null ? 0 : Math.max(1, rate);
            batch = size == null ? DEFAULT_BATCH : (int) Math.clamp(size, 1, 1000);
            ready.forEach(letter -> queue.add(letter.id()));
            run();
        }
        Json.Obj body = Json.Obj.builder()
                .put("matched", chosen.size())
                .put("replayed", dry ? 0L : (long) ready.size())
                .put("parked", parked.size())
                .put("dry_run", dry)
                .put(
                        "items",
                        new Json.Arr(chosen.stream()
                                .<Json>map(one -> row(one).build())
                                .toList()))
                .build();
        shard.later(() -> done.accept(new Answer.Found(body)));
    }

    private static @Nullable ProtocolError problem(Json.Obj args) {
        boolean named = !args.strings("event_ids").isEmpty();
        boolean filtered = args.has("filter") || args.has("from") || args.has("to");
        if (named == filtered) {
            return ProtocolError.invalidPayload(
                    "event_ids", "either event_ids or filter, from, to", named ? "both" : "neither");
        }
        return null;
    }

    private List<Letter> chosen(String tenant, Json.Obj args) {
        List<Letter> chosen = new ArrayList<>();
        if (!args.strings("event_ids").isEmpty()) {
            for (String id : args.strings("event_ids")) {
                shard.state.letters.about(tenant, id).stream()
                        .filter(letter -> !chosen.contains(letter))
                        .forEach(chosen::add);
            }
            return chosen;
        }
        Json.Obj filter = args.object("filter") == null ? Json.Obj.of() : args.object("filter");
        for (String bound : List.of("from", "to")) {
            Json value = args.get(bound);
            filter = filter == null || value == null ? filter : filter.with(bound, value);
        }
        Predicate<Letter> wanted = wanted(filter == null ? Json.Obj.of() : filter);
        Long limit = args.integer("limit");
        long most = limit == null ? MOST : Math.max(0, limit);
        for (Letter letter : shard.state.letters.all()) {
            if (chosen.size() < most && letter.tenant().equals(tenant) && wanted.test(letter)) {
                chosen.add(letter);
            }
        }
        return chosen;
    }

    private void run() {
        if (!running && !queue.isEmpty()) {
            running = true;
            step();
        }
    }

    private void step() {
        int now = perSecond > 0 ? (int) Math.min(batch, perSecond) : batch;
        for (int i = 0; i < now && !queue.isEmpty(); i++) {
            putBack(queue.poll());
        }
        if (queue.isEmpty()) {
            running = false;
            return;
        }
        long wait = perSecond > 0 ? 1000L * now / perSecond : 1;
        shard.timers.at(shard.now() + wait, this::step);
    }

    private void putBack(String letterId) {
        Letter letter = shard.state.letters.find(letterId);
        if (letter == null) {
            return;
        }
        shard.deliveries.fetch(letter.lsn(), event -> {
            if (event != null && shard.state.letters.find(letterId) != null) {
                store(letter, event);
            }
        });
    }

    private void store(Letter letter, Event event) {
        String subscription = receiver(letter);
        if (subscription == null) {
            return;
        }
        DeliveryAsk.Again again = new DeliveryAsk.Again(
                subscription, shard.replies.cursor(letter.lsn()), letter.replays() + 1, letter.history());
        Frame.Header header = new Frame.Header(shard.now(), letter.tenant(), Replies.HUB, "", "hub", "dlq.replay");
        shard.append(
                header,
                List.of(event.under(event.delivery().again(again))),
                List.of(new LetterFact.Removed(letter.id(), "replayed")));
    }

    /** The subscription it died in, or one of the same owner that wants the event when that one is gone. */
    private @Nullable String receiver(Letter letter) {
        if (shard.state.subscriptions.find(letter.subscription()) != null) {
            return letter.subscription();
        }
        for (Subscription other : shard.state.subscriptions.all()) {
            Feed feed = shard.feeds.get(other.id());
            if (feed != null
                    && other.tenant().equals(letter.tenant())
                    && ownerOf(other).equals(letter.owner())
                    && feed.route().filter().matchesType(letter.eventType())) {
                return other.id();
            }
        }
        return null;
    }

    /** Throws letters away, by any of their ids. */
    void discard(Caller caller, String id, Consumer<Answer> done) {
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
                new Frame.Header(shard.now(), caller.tenant(), actor, "http", "dlq", "dlq.discard"), List.of(), facts);
        Json.Obj body = Json.Obj.builder().put("discarded", found.size()).build();
        shard.later(() -> done.accept(new Answer.Found(body)));
    }

    /**
     * Stores the events of letters again that lie below {@code lsn}, so that the log can let go of it; a few at a
     * time.
     */
    void carry(long lsn, int most) {
        int left = most;
        for (Letter letter : List.copyOf(shard.state.letters.all())) {
            if (letter.lsn() < lsn && left-- > 0) {
                shard.deliveries.fetch(letter.lsn(), event -> carried(letter, event));
            }
        }
    }

    private void carried(Letter letter, @Nullable Event event) {
        Letter now = shard.state.letters.find(letter.id());
        if (now == null || now.lsn() != letter.lsn()) {
            return;
        }
        Frame.Header header = new Frame.Header(shard.now(), letter.tenant(), Replies.HUB, "", "hub", "carry");
        if (event == null) {
            shard.append(header, List.of(), List.of(new LetterFact.Removed(letter.id(), "event is gone")));
            return;
        }
        DeliveryAsk.Again nobody = new DeliveryAsk.Again(
                "", shard.replies.cursor(letter.lsn()), letter.replays(), new Json.Arr(List.of()));
        long to = shard.nextLsn();
        shard.append(
                header,
                List.of(event.under(event.delivery().again(nobody))),
                List.of(new LetterFact.Carried(letter.id(), to)));
    }

    /** First position that a letter still needs. */
    long floorLsn() {
        long floor = Long.MAX_VALUE;
        for (Letter letter : shard.state.letters.all()) {
            floor = Math.min(floor, letter.lsn());
        }
        return floor;
    }
}
