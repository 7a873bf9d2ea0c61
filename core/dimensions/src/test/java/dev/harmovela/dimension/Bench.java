package dev.harmovela.dimension;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.MonotonicIds;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One dimension alone, with a clock moved by hand and tasks that are only told of. Whatever it decides is checked for
 * what holds for all of them: deciding changes nothing, facts survive being written, and the fold of the facts and the
 * restored snapshot are the live state.
 */
public final class Bench<D extends DimensionState> implements Surroundings {

    public static final String TENANT = "default";
    public static final long START = 1_800_000_000_000L;

    /** A task as the dimension may look it up. */
    public record Task(String owner, String submitter, String parent) {}

    private final Supplier<D> make;
    private final BiFunction<Integer, In, Fact> read;
    private final MonotonicIds ids = new MonotonicIds(START, 5);
    private final List<Fact> facts = new ArrayList<>();
    public final List<Event> events = new ArrayList<>();
    public final List<Signal> signals = new ArrayList<>();
    public final Map<String, Task> tasks = new HashMap<>();
    /** Rights that identities do not hold. */
    public final Map<String, List<String>> lacking = new HashMap<>();

    public final D dimension;
    public long now = START;
    public boolean enforce = true;
    /** What the speakers declared of their own bounds. */
    public Json.Obj bounds = Json.Obj.of();

    private long nextLsn = 1;

    public Bench(Supplier<D> make, BiFunction<Integer, In, Fact> read) {
        this.make = make;
        this.read = read;
        this.dimension = make.get();
    }

    private Context context(String actor) {
        Context.Speaker speaker = new Context.Speaker(
                TENANT, actor, "s", enforce, false, List.of(), right -> holds(TENANT, actor, right), _ -> true, bounds);
        return new Context(now, speaker, nextLsn, ids, this);
    }

    public Event event(String type, String source, String payload, UnaryOperator<EventDraft> more) {
        EventDraft draft = EventDraft.of(EventRegistry.standard().require(type), ids.next("evt"), source, now)
                .payload((Json.Obj) Json.parse(payload));
        return more.apply(draft).build();
    }

    /** The source says it; what follows is applied unless it is refused. */
    public Decision send(String type, String source, String payload, UnaryOperator<EventDraft> more) {
        Event event = event(type, source, payload, more);
        byte[] before = snapshot(dimension);
        Decision decision = dimension.decide(event, context(source));
        assertThat(snapshot(dimension)).as("deciding changes nothing").isEqualTo(before);
        take(decision, event);
        return decision;
    }

    /** The dimension is told. */
    public void tell(Signal signal) {
        take(dimension.react(signal, context(Proposal.HUB)), null);
    }

    /** Time passes, and what is due happens. */
    public void advance(long millis) {
        now += millis;
        for (int i = 0; i < 1000; i++) {
            Decision due = dimension.fire(context(Proposal.HUB));
            take(due, null);
            if (!due.more()) {
                return;
            }
        }
        throw new AssertionError("time brings no end");
    }

    private void take(Decision decision, Event input) {
        List<Event> all = new ArrayList<>(decision.before());
        if (input != null && decision.store() == Decision.Store.STORE) {
            all.add(input);
        }
        all.addAll(decision.after());
        assertThat(all).hasSizeLessThanOrEqualTo(Decision.MAX_EVENTS);
        nextLsn += all.stream()
                .filter(event -> event.delivery().mode() != DeliveryMode.BEST_EFFORT)
                .count();
        events.addAll(decision.before());
        events.addAll(decision.after());
        signals.addAll(decision.signals());
        for (Fact fact : decision.facts()) {
            assertThat(dimension.holds(fact.kind())).isTrue();
            dimension.apply(fact);
            if (fact.kept()) {
                facts.add(fact);
            }
        }
    }

    /** The fold of everything so far, and the restored snapshot, are the live state. */
    public void check() {
        byte[] live = snapshot(dimension);
        D folded = make.get();
        for (Fact fact : facts) {
            Out out = new Out();
            fact.write(out);
            Fact again = read.apply(fact.kind(), new In(out.toByteArray()));
            assertThat(again).isEqualTo(fact);
            folded.apply(again);
        }
        assertThat(snapshot(folded)).isEqualTo(live);
        D restored = make.get();
        restored.restore(new In(live));
        assertThat(snapshot(restored)).isEqualTo(live);
        assertThat(restored.nextDeadline()).isEqualTo(dimension.nextDeadline());
    }

    private static byte[] snapshot(DimensionState of) {
        Out out = new Out();
        of.snapshot(out);
        return out.toByteArray();
    }

    // --- surroundings

    @Override
    public boolean attached(String tenant, String identity) {
        return true;
    }

    @Override
    public long lastSeen(String tenant, String identity) {
        return now;
    }

    @Override
    public boolean knows(String tenant, String identity) {
        return true;
    }

    @Override
    public boolean holds(String tenant, String identity, String right) {
        return !lacking.getOrDefault(identity, List.of()).contains(right);
    }

    @Override
    public String standIn(String tenant, String taskId, String identity) {
        return null;
    }

    @Override
    public List<String> members(String tenant, String pool) {
        return List.of();
    }

    @Override
    public String secret() {
        return "secret";
    }

    @Override
    public boolean taskExists(String tenant, String taskId) {
        return tasks.containsKey(taskId);
    }

    @Override
    public boolean taskLives(String tenant, String taskId) {
        return tasks.containsKey(taskId);
    }

    @Override
    public String taskOwner(String tenant, String taskId) {
        return tasks.containsKey(taskId) ? tasks.get(taskId).owner() : null;
    }

    @Override
    public String taskSubmitter(String tenant, String taskId) {
        return tasks.containsKey(taskId) ? tasks.get(taskId).submitter() : null;
    }

    @Override
    public String taskParent(String tenant, String taskId) {
        return tasks.containsKey(taskId) ? tasks.get(taskId).parent() : null;
    }
}
