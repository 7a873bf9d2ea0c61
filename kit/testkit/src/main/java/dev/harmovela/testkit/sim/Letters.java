package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * An operator who looks at dead letters, puts them back and throws them away, and judges what it sees: looking and
 * trying out changes nothing, what is put back is moved with its history, what is thrown away stays away.
 */
final class Letters {

    private static final int PAGE = 1_000;
    /** Attempts that a history holds at the most. */
    private static final int HISTORY_KEPT = 16;

    private final World world;
    /** Letters that were ever listed, as they were first, by id. */
    private final Map<String, Json.Obj> seen = new LinkedHashMap<>();
    /** Letters that somebody asked to put back, by the id of their event. */
    private final Map<String, List<Json.Obj>> putBack = new HashMap<>();
    /** Letters that the hub promised to put back. */
    private final Map<String, Json.Obj> promised = new LinkedHashMap<>();

    private final Set<String> discarded = new HashSet<>();
    /** Orders to put everything back whose letters nobody could list: the hub died before it answered. */
    private int blind;

    Letters(World world) {
        this.world = world;
    }

    /** Whether somebody asked to put an event back. */
    boolean wasPutBack(String eventId) {
        return blind > 0 || putBack.containsKey(eventId);
    }

    /** Whether an event was ever seen among the letters. */
    boolean knows(String eventId) {
        return seen.values().stream().anyMatch(letter -> eventId.equals(letter.string("original_event_id")));
    }

    /** How many that were put back may have taken a number of a subscription without being sent. */
    long unsent(Subscribed to) {
        long count = 0;
        for (Map.Entry<String, List<Json.Obj>> one : putBack.entrySet()) {
            if (mayBeUnsent(to, one.getKey())) {
                count += one.getValue().size();
            }
        }
        return count;
    }

    private boolean mayBeUnsent(Subscribed to, String eventId) {
        Publish original = world.published(eventId);
        return to.dealtWith.contains(eventId)
                || (original != null && world.oracle.copies.mayBeUnsent(to, original.event));
    }

    // --- doing

    /** Does one thing, drawn by chance; returns it in words. */
    String operate(SplittableRandom random) {
        List<Json.Obj> letters = new ArrayList<>(seen.values());
        letters.removeIf(letter -> discarded.contains(Oracle.string(letter, "id")));
        int what = letters.isEmpty() ? 0 : random.nextInt(10);
        if (what < 4) {
            list(this::listed);
            return "lists dead letters";
        }
        Json.Obj letter = letters.get(random.nextInt(letters.size()));
        String id = Oracle.string(letter, "id");
        if (what == 4) {
            act("dlq.discard", Json.Obj.builder().put("id", id).build(), _ -> discarded.add(id));
            return "throws " + id + " away";
        } else if (what == 5) {
            tryOut();
            return "tries out what would be put back";
        } else if (what == 6) {
            letters.forEach(this::meant);
            Json.Obj all = Json.Obj.builder()
                    .put("from", "2026-07-01T00:00:00Z")
                    .put("batch_size", random.nextInt(1, 4))
                    .put("max_per_second", random.nextInt(1, 50))
                    .build();
            everything(all);
            return "puts everything back";
        }
        meant(letter);
        act("dlq.replay", Json.Obj.builder().put("event_ids", List.of(id)).build(), body -> {
            if (body.integer("ready") instanceof Long one && one == 1) {
                promised.put(id, letter);
            }
        });
        return "puts " + id + " back";
    }

    /** Puts back what is listed; what has died since it was listed goes too. */
    private void everything(Json.Obj args) {
        blind++;
        list(body -> {
            blind--;
            rows(body).forEach(this::meant);
        });
        act("dlq.replay", args, _ -> {});
    }

    private void meant(Json.Obj letter) {
        putBack.computeIfAbsent(Oracle.string(letter, "original_event_id"), _ -> new ArrayList<>())
                .add(letter);
    }

    /** Three questions in one turn: what a dry run says to be there is what is there, before and after. */
    private void tryOut() {
        Json.Obj[] before = new Json.Obj[1];
        list(body -> before[0] = body);
        Json.Obj args = Json.Obj.builder()
                .put("from", "2026-07-01T00:00:00Z")
                .put("dry_run", true)
                .build();
        act("dlq.replay", args, body -> {
            if (body.integer("matched") instanceof Long matched
                    && matched != rows(before[0]).size()) {
                throw new Violation("a dry run finds " + matched + " letters of "
                        + rows(before[0]).size());
            }
        });
        list(body -> {
            if (!body.equals(before[0])) {
                throw new Violation("a dry run changed the letters from " + before[0] + " to " + body);
            }
        });
    }

    private void list(Consumer<Json.Obj> then) {
        Ask ask = new Ask("dead_letters", null, Json.Obj.of(), PAGE, null);
        world.machine.hub().ask(Caller.open(), ask, answer -> found(answer, then));
    }

    private void act(String action, Json.Obj args, Consumer<Json.Obj> then) {
        world.machine.hub().act(Caller.open(), action, args, answer -> found(answer, then));
    }

    private static void found(Answer answer, Consumer<Json.Obj> then) {
        if (answer instanceof Answer.Found found) {
            then.accept(found.body());
        }
    }

    // --- judging

    private static List<Json.Obj> rows(Json.Obj body) {
        Json.Arr items = body.array("items");
        List<Json.Obj> rows = new ArrayList<>();
        for (Json item : items == null ? List.<Json>of() : items.items()) {
            rows.add((Json.Obj) item);
        }
        return rows;
    }

    private static long replays(Json.Obj letter) {
        Long replays = letter.integer("replays");
        return replays == null ? 0 : replays;
    }

    private static List<Json> history(Json.Obj letter) {
        Json.Arr history = letter.array("history");
        return history == null ? List.of() : history.items();
    }

    private void listed(Json.Obj body) {
        for (Json.Obj letter : rows(body)) {
            String id = Oracle.string(letter, "id");
            if (discarded.contains(id)) {
                throw new Violation("letter " + id + " was thrown away and is there again");
            }
            Json.Obj first = seen.putIfAbsent(id, letter);
            if (first == null) {
                judge(letter);
            } else if (!first.without("cursor").equals(letter.without("cursor"))) {
                throw new Violation("letter " + id + " was " + first + " and is now " + letter);
            }
        }
    }

    private void judge(Json.Obj letter) {
        String eventId = Oracle.string(letter, "original_event_id");
        if (letter.integer("attempts") instanceof Long attempts
                && history(letter).size() < Math.min(attempts, 3)) {
            throw new Violation("a letter with " + attempts + " attempts and less history: " + letter);
        }
        List<Json.Obj> earlier = putBack.getOrDefault(eventId, List.of());
        if (blind == 0 && replays(letter) > 0 && earlier.stream().noneMatch(one -> continues(one, letter))) {
            throw new Violation("the letter " + letter + " continues none of those put back: " + earlier);
        }
    }

    /** Whether a letter is what became of an earlier one of the same event: one return more, the history kept. */
    private static boolean continues(Json.Obj earlier, Json.Obj letter) {
        List<Json> before = history(earlier);
        List<Json> now = history(letter);
        boolean cut = now.size() >= HISTORY_KEPT;
        boolean kept = cut
                || (now.size() > before.size() && now.subList(0, before.size()).equals(before));
        return replays(letter) == replays(earlier) + 1 && kept;
    }

    /** At the end: what was promised to be put back has come, or is a letter still or again. */
    void settled() throws java.io.IOException {
        Set<String> there = new HashSet<>();
        boolean[] heard = new boolean[1];
        world.guarded(() -> {
            list(body -> {
                heard[0] = true;
                rows(body).forEach(row -> there.add(Oracle.string(row, "original_event_id")));
                listed(body);
            });
            world.machine.settle();
        });
        if (!heard[0]) {
            throw new Violation("nobody lists the dead letters");
        }
        promised.forEach((id, letter) -> {
            String eventId = Oracle.string(letter, "original_event_id");
            Subscribed to = world.oracle.copies.find(Oracle.string(letter, "subscription_id"));
            boolean awaited = to != null
                    && !to.ending
                    && Finale.isServed(world, to)
                    && !to.twins.contains(eventId)
                    && !mayBeUnsent(to, eventId);
            if (awaited && !there.contains(eventId) && !wasThrownAway(eventId)) {
                throw new Violation("letter " + id + " was to be put back, yet " + eventId + " never came again");
            }
        });
    }

    private boolean wasThrownAway(String eventId) {
        return seen.entrySet().stream()
                .filter(one -> discarded.contains(one.getKey()))
                .anyMatch(one -> eventId.equals(one.getValue().string("original_event_id")));
    }
}
