package dev.harmovela.testkit.hub;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A search over ended tasks in memory that outlives its hub and fails, or loses everything, when the test says so. */
public final class TestArchive implements TaskArchive {

    private record Id(String tenant, String taskId) {}

    private final Map<Id, Ended> rows = new HashMap<>();
    private long applied;
    private int writes;
    private @Nullable String problem;

    /** From now on everything fails for that reason; null: it works again. */
    public TestArchive broken(@Nullable String reason) {
        problem = reason;
        return this;
    }

    /** Batches that were written. */
    public int writes() {
        return writes;
    }

    /** An independent copy, as a crash leaves it behind. */
    public TestArchive copy() {
        TestArchive copy = new TestArchive();
        copy.rows.putAll(rows);
        copy.applied = applied;
        return copy;
    }

    private void requireWhole() throws IOException {
        if (problem != null) {
            throw new IOException(problem);
        }
    }

    @Override
    public long appliedLsn() throws IOException {
        requireWhole();
        return applied;
    }

    @Override
    public void write(List<Ended> batch, long appliedLsn) throws IOException {
        requireWhole();
        batch.forEach(one -> rows.put(new Id(one.tenant(), one.taskId()), one));
        applied = appliedLsn;
        writes++;
    }

    @Override
    public List<Ended> list(Query query) throws IOException {
        requireWhole();
        return rows.values().stream()
                .filter(row -> matches(query, row))
                .sorted(Comparator.comparing(Ended::key))
                .limit(Math.clamp(query.limit(), 1, 1001))
                .toList();
    }

    private static boolean matches(Query query, Ended row) {
        boolean equal = query.equal().entrySet().stream().allMatch(one -> {
            if (!FIELDS.contains(one.getKey())) {
                throw new IllegalArgumentException("no field " + one.getKey());
            }
            String value =
                    one.getKey().equals("task_id") ? row.taskId() : row.detail().string(one.getKey());
            return value != null && one.getValue().contains(value);
        });
        return equal
                && row.tenant().equals(query.tenant())
                && (query.states().isEmpty() || query.states().contains(row.state()))
                && within(query.submitted(), row.submittedAt())
                && within(query.ended(), row.endedAt())
                && row.key().compareTo(query.after()) > 0;
    }

    private static boolean within(Span span, long at) {
        return at >= span.from() && at <= span.to();
    }

    @Override
    public @Nullable Ended find(String tenant, String taskId) throws IOException {
        requireWhole();
        return rows.get(new Id(tenant, taskId));
    }

    /** What is known of a task of the default tenant, null when nothing is. */
    public Json.@Nullable Obj detail(String taskId) {
        Ended row = rows.get(new Id("default", taskId));
        return row == null ? null : row.detail();
    }

    @Override
    public void expire(long millis) throws IOException {
        requireWhole();
        rows.values().removeIf(row -> row.endedAt() < millis);
    }

    @Override
    public void clear() throws IOException {
        requireWhole();
        rows.clear();
        applied = 0;
    }

    @Override
    public void close() {
        // it outlives its hub
    }
}
