package dev.harmovela.harness;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hub's own answers as they were given, each under a version of its own (§10, D28). What was not changed since
 * keeps its version, a version never means something else, and versions rise from run to run, because each begins
 * above the position of the log. Volatile, of bounded size. One owner.
 */
final class QuerySnapshots {

    /** Versions between two positions of the log; what is asked oftener without any change to the log is not new. */
    static final int OF_POSITION = 1024;

    private static final long MOST_CHARS = 16L << 20;
    private static final Map<String, String> IDS = Map.ofEntries(
            Map.entry("tasks", "task_id"),
            Map.entry("sessions", "session_id"),
            Map.entry("agents", "identity"),
            Map.entry("subscriptions", "subscription_id"),
            Map.entry("pending", "subscription_id"),
            Map.entry("budgets", "budget_id"),
            Map.entry("goals", "goal_id"),
            Map.entry("delegations", "task_id"),
            Map.entry("exchanges", "event_id"),
            Map.entry("interruptions", "task_id"),
            Map.entry("compensations", "compensation_id"),
            Map.entry("state", "key"),
            Map.entry("dead_letters", "id"));

    /**
     * A question as somebody asks it; nobody else gets its answer.
     *
     * @param who tenant, identity and credential
     * @param filter as JSON text
     */
    record Question(String who, String scope, String filter) {}

    /**
     * An answer.
     *
     * @param body as the hub knows it: {@code items}, or members of their own
     * @param at epoch milliseconds when it was last found to be so
     */
    record Snapshot(Question question, long version, Json.Obj body, long at, int chars) {

        List<Json> items() {
            Json.Arr items = body.array("items");
            return items == null ? List.of() : items.items();
        }

        private Snapshot seen(long now) {
            return new Snapshot(question, version, body, now, chars);
        }
    }

    private final LinkedHashMap<Long, Snapshot> byVersion = new LinkedHashMap<>();
    private final Map<Question, Snapshot> latest = new LinkedHashMap<>();
    private long chars;
    private long last;

    /** The latest answer to a question, null when none is kept. */
    @Nullable Snapshot latest(Question question) {
        return latest.get(question);
    }

    /** The answer of a version, null when it is not kept any more or was another question's. */
    @Nullable Snapshot of(Question question, long version) {
        Snapshot one = byVersion.get(version);
        return one != null && one.question().equals(question) ? one : null;
    }

    /** Whether the position of the log has no version left, so that it must move before something new is kept. */
    boolean isFull(long lsn) {
        return last >= (lsn + 1) * OF_POSITION - 1;
    }

    /** Keeps an answer that was found now; one that says what the latest said is that one. */
    Snapshot keep(Question question, Json.Obj body, long lsn, long now) {
        Snapshot before = latest.get(question);
        if (before != null && before.body().equals(body)) {
            Snapshot same = before.seen(now);
            byVersion.put(same.version(), same);
            latest.put(question, same);
            return same;
        }
        last = Math.max(last + 1, lsn * OF_POSITION);
        int size = body.toString().length() + 200;
        Snapshot made = new Snapshot(question, last, body, now, size);
        byVersion.put(last, made);
        latest.put(question, made);
        chars += size;
        while (chars > MOST_CHARS && byVersion.size() > 1) {
            Snapshot oldest = byVersion.pollFirstEntry().getValue();
            chars -= oldest.chars();
            latest.remove(oldest.question(), oldest);
        }
        return made;
    }

    /** What of an answer is new, and what is gone, against an older one. */
    static Json.Obj delta(Snapshot from, Snapshot to) {
        String id = IDS.getOrDefault(to.question().scope(), "");
        Map<String, Json> before = byId(from.items(), id);
        List<Json> changed = new ArrayList<>();
        Set<String> removed = new LinkedHashSet<>(before.keySet());
        byId(to.items(), id).forEach((name, row) -> {
            removed.remove(name);
            if (!row.equals(before.get(name))) {
                changed.add(row);
            }
        });
        return Json.Obj.builder()
                .put("since_version", from.version())
                .put("changed", new Json.Arr(changed))
                .put("removed", List.copyOf(removed))
                .build();
    }

    private static Map<String, Json> byId(List<Json> rows, String id) {
        Map<String, Json> all = new LinkedHashMap<>();
        for (Json row : rows) {
            String name = row instanceof Json.Obj one ? one.string(id) : null;
            all.put(name == null ? row.toString() : name, row);
        }
        return all;
    }
}
