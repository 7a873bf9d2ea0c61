package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.Letter;
import dev.harmovela.dimension.recovery.LetterFact;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Caller;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts dead letters back (§6, D34).
 *
 * <p>Putting back moves: the event is stored a second time for that one subscription and the letter goes, in one
 * frame. A
 * letter that came back too often is parked: it stays where it is. A replay that a restart interrupts has put back
 * what is no
 * longer listed; the rest is still a letter.
 */
final class LetterReplay {

    /** Times a letter may be put back. */
    static final int MOST_REPLAYS = 5;

    private static final int DEFAULT_BATCH = 100;
    private static final int MOST_BATCH = 1000;
    private static final int MOST_PER_SECOND = 100_000;
    private static final int MOST_NAMED = 1000;
    private static final int MOST_SHOWN = 1000;
    private static final long WAIT_FOR_SPACE_MILLIS = 1000;
    private static final List<String> MEMBERS = List.of(
            "event_ids", "filter", "from", "to", "limit", "batch_size", "max_per_second", "rate_per_s", "dry_run");

    private final Shard shard;

    LetterReplay(Shard shard) {
        this.shard = shard;
    }

    /** What was found, by what can become of it. */
    private record Chosen(List<Letter> ready, List<Letter> parked, List<Letter> unwanted, List<String> missing) {

        int matched() {
            return ready.size() + parked.size() + unwanted.size();
        }

        List<Letter> all() {
            List<Letter> all = new ArrayList<>(ready);
            all.addAll(parked);
            all.addAll(unwanted);
            return all;
        }
    }

    /**
     * Puts letters back. Members: {@code event_ids} (ids of letters, events or tasks), or any of {@code filter},
     * {@code from},
     * {@code to}; {@code limit}, {@code batch_size}, {@code max_per_second} (also {@code rate_per_s}), {@code dry_run}.
     */
    void replay(Caller caller, Json.Obj args, Consumer<Answer> done) {
        ProtocolError problem = problem(args);
        if (problem == null && !shard.journal.acceptsPublishes()) {
            problem = ProtocolError.because(
                            ErrorCode.INTERNAL_ERROR, "storage_full", "the store is full: try again later")
                    .retryable(true);
        }
        boolean byId = args.has("event_ids");
        Chosen chosen = problem == null ? chosen(caller.tenant(), args) : null;
        if (chosen != null && byId) {
            problem = nothingToDo(args, chosen);
        }
        if (chosen == null || problem != null) {
            Answer refused = new Answer.Failed(problem == null ? ProtocolError.internal() : problem);
            shard.later(() -> done.accept(refused));
            return;
        }
        boolean dry = Boolean.TRUE.equals(args.bool("dry_run"));
        if (!dry) {
            new Run(Pulls.owner(caller), args, chosen.ready()).step();
        }
        Json.Obj body = told(chosen, dry);
        shard.later(() -> done.accept(new Answer.Found(body)));
    }

    private Json.Obj told(Chosen chosen, boolean dry) {
        List<Letter> all = chosen.all();
        List<Letter> shown = all.size() > MOST_SHOWN ? all.subList(0, MOST_SHOWN) : all;
        return Json.Obj.builder()
                .put("dry_run", dry)
                .put("matched", chosen.matched())
                .put("ready", chosen.ready().size())
                .put("replayed", dry ? 0 : chosen.ready().size())
                .put("parked", chosen.parked().size())
                .put("unwanted", chosen.unwanted().size())
                .put("not_found", chosen.missing())
                .put("items", shard.letters.rows(shown))
                .build();
    }

    // --- what was asked

    private static @Nullable ProtocolError problem(Json.Obj args) {
        for (String name : args.names()) {
            if (!MEMBERS.contains(name)) {
                return ProtocolError.invalidPayload(name, "one of " + String.join(", ", MEMBERS), "an unknown member");
            }
        }
        boolean named = args.has("event_ids");
        boolean filtered = args.has("filter") || args.has("from") || args.has("to");
        if (named == filtered) {
            return ProtocolError.invalidPayload(
                    "event_ids", "either event_ids or filter, from, to", named ? "both" : "neither");
        }
        List<String> ids = args.strings("event_ids");
        if (named && (ids.isEmpty() || ids.size() > MOST_NAMED)) {
            return ProtocolError.invalidPayload("event_ids", "1 to " + MOST_NAMED + " ids", ids.size() + " ids");
        }
        if (args.has("filter") && args.object("filter") == null) {
            return ProtocolError.invalidPayload("filter", "an object", "something else");
        }
        if (args.has("dry_run") && args.bool("dry_run") == null) {
            return ProtocolError.invalidPayload("dry_run", "true or false", "something else");
        }
        Json.Obj filter = args.object("filter");
        ProtocolError wrong = filter == null ? null : LetterFilter.problem("filter.", filter);
        wrong = wrong == null ? LetterFilter.problem("", window(args)) : wrong;
        wrong = wrong == null ? outside(args, "limit", LetterDesk.MOST) : wrong;
        wrong = wrong == null ? outside(args, "batch_size", MOST_BATCH) : wrong;
        wrong = wrong == null ? outside(args, "max_per_second", MOST_PER_SECOND) : wrong;
        return wrong == null ? outside(args, "rate_per_s", MOST_PER_SECOND) : wrong;
    }

    private static @Nullable ProtocolError outside(Json.Obj args, String name, long most) {
        Long value = args.integer(name);
        boolean right = !args.has(name) || (value != null && value >= 1 && value <= most);
        return right ? null : ProtocolError.invalidPayload(name, "a number from 1 to " + most, "something else");
    }

    private static Json.Obj window(Json.Obj args) {
        return Json.Obj.builder()
                .put("from", args.get("from"))
                .put("to", args.get("to"))
                .build();
    }

    private Chosen chosen(String tenant, Json.Obj args) {
        Chosen chosen = new Chosen(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Long limit = args.integer("limit");
        long most = limit == null ? LetterDesk.MOST : limit;
        for (Letter letter : args.has("event_ids") ? named(tenant, args, chosen.missing()) : filtered(tenant, args)) {
            if (chosen.matched() >= most) {
                break;
            }
            if (letter.replays() >= MOST_REPLAYS) {
                chosen.parked().add(letter);
            } else if (receiver(letter, null) == null) {
                chosen.unwanted().add(letter);
            } else {
                chosen.ready().add(letter);
            }
        }
        return chosen;
    }

    private List<Letter> named(String tenant, Json.Obj args, List<String> missing) {
        Set<String> wanted = new LinkedHashSet<>(args.strings("event_ids"));
        Set<String> seen = new HashSet<>();
        List<Letter> named = new ArrayList<>();
        for (Letter letter : shard.state.letters.all()) {
            if (letter.tenant().equals(tenant)) {
                boolean hit = found(letter.id(), wanted, seen);
                hit |= found(letter.eventId(), wanted, seen);
                hit |= found(letter.taskId(), wanted, seen);
                if (hit) {
                    named.add(letter);
                }
            }
        }
        wanted.stream().filter(id -> !seen.contains(id)).forEach(missing::add);
        return named;
    }

    private static boolean found(@Nullable String id, Set<String> wanted, Set<String> seen) {
        boolean hit = id != null && wanted.contains(id);
        if (hit) {
            seen.add(id);
        }
        return hit;
    }

    private List<Letter> filtered(String tenant, Json.Obj args) {
        Json.Obj filter = args.object("filter");
        Predicate<Letter> wanted =
                LetterFilter.of(filter == null ? Json.Obj.of() : filter).and(LetterFilter.of(window(args)));
        return shard.state.letters.all().stream()
                .filter(letter -> letter.tenant().equals(tenant) && wanted.test(letter))
                .toList();
    }

    /** Whoever names letters hears when not one of them can be put back. */
    private static @Nullable ProtocolError nothingToDo(Json.Obj args, Chosen chosen) {
        String ids = String.join(", ", args.strings("event_ids"));
        if (chosen.matched() == 0) {
            return ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "not_found", "no such dead letter")
                    .with("id", ids);
        }
        if (!chosen.ready().isEmpty()) {
            return null;
        }
        boolean parked = !chosen.parked().isEmpty();
        String why = parked
                ? "it was put back " + MOST_REPLAYS + " times and stays parked"
                : "nobody is subscribed to it any more";
        return ProtocolError.because(ErrorCode.CONFLICT, parked ? "parked" : "unwanted", why)
                .with("id", ids);
    }

    // --- putting back

    /**
     * The subscription it died in, or one of the same owner that wants the event when that one is gone.
     *
     * @param event null while only its type is known: then the answer may still be nobody
     */
    private @Nullable String receiver(Letter letter, @Nullable Event event) {
        if (shard.state.subscriptions.find(letter.subscription()) != null) {
            return letter.subscription();
        }
        for (Subscription other : shard.state.subscriptions.all()) {
            Feed feed = shard.feeds.get(other.id());
            if (feed != null
                    && other.kind() != Subscription.Kind.INBOX
                    && other.tenant().equals(letter.tenant())
                    && shard.letters.ownerOf(other).equals(letter.owner())
                    && wants(feed.route().filter(), letter, event)) {
                return other.id();
            }
        }
        return null;
    }

    private static boolean wants(SubscriptionFilter filter, Letter letter, @Nullable Event event) {
        return event == null ? filter.matchesType(letter.eventType()) : filter.matches(event);
    }

    /** One replay on its way, at its own pace. */
    private final class Run {

        private final String actor;
        private final ArrayDeque<String> letters = new ArrayDeque<>();
        private final long perSecond;
        private final int batch;

        Run(String actor, Json.Obj args, List<Letter> ready) {
            Long rate = args.integer("max_per_second");
            rate = rate == null ? args.integer("rate_per_s") : rate;
            Long size = args.integer("batch_size");
            this.actor = actor;
            this.perSecond = rate == null ? 0 : rate;
            this.batch = size == null ? DEFAULT_BATCH : size.intValue();
            ready.forEach(letter -> letters.add(letter.id()));
        }

        void step() {
            if (!shard.journal.acceptsPublishes()) {
                shard.timers.at(shard.now() + WAIT_FOR_SPACE_MILLIS, this::step);
                return;
            }
            int now = perSecond > 0 ? (int) Math.min(batch, perSecond) : batch;
            for (int i = 0; i < now && !letters.isEmpty(); i++) {
                putBack(letters.poll(), actor);
            }
            if (!letters.isEmpty()) {
                long wait = perSecond > 0 ? (1000L * now + perSecond - 1) / perSecond : 1;
                shard.timers.at(shard.now() + wait, this::step);
            }
        }
    }

    private void putBack(String letterId, String actor) {
        Letter letter = shard.state.letters.find(letterId);
        if (letter == null) {
            return;
        }
        shard.deliveries.fetch(letter.lsn(), event -> {
            if (event != null && shard.state.letters.find(letterId) != null) {
                store(letter, event, actor);
            }
        });
    }

    private void store(Letter letter, Event event, String actor) {
        String subscription = receiver(letter, event);
        if (subscription == null) {
            return;
        }
        DeliveryAsk.Again again = new DeliveryAsk.Again(
                subscription, shard.replies.cursor(letter.lsn()), letter.replays() + 1, letter.history());
        Frame.Header header = new Frame.Header(shard.now(), letter.tenant(), actor, "", "dlq", "dlq.replay", "");
        shard.append(
                header,
                List.of(event.under(event.delivery().again(again))),
                List.of(new LetterFact.Removed(letter.id(), "replayed")));
    }
}
