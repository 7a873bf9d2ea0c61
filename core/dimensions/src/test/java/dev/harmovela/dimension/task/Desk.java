package dev.harmovela.dimension.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.MonotonicIds;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Surroundings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A hub reduced to its tasks: a clock moved by hand, a log, and people who are there or not. Every decision
 * made through it is
 * checked for what holds for all of them.
 */
final class Desk implements Surroundings {

    static final String TENANT = "default";
    static final long START = 1_800_000_000_000L;

    /** One event of the log. */
    record Entry(long lsn, Event event) {
        String type() {
            return event.type().name();
        }

        String taskId() {
            return String.valueOf(event.taskId());
        }

        @Override
        public String toString() {
            return type().substring("task.".length()) + " " + taskId();
        }
    }

    private final TaskPolicy policy;
    private final MonotonicIds ids = new MonotonicIds(START, 7);
    Tasks tasks;
    final List<Entry> log = new ArrayList<>();
    final List<Fact> facts = new ArrayList<>();
    final Map<String, Long> seen = new HashMap<>();
    final Map<String, Boolean> attached = new HashMap<>();
    final List<String> supervisors = new ArrayList<>();
    final List<String> pools = new ArrayList<>();
    long now = START;
    long nextLsn = 1;
    boolean enforce;

    Desk(TaskPolicy policy) {
        this.policy = policy;
        tasks = new Tasks(policy);
    }

    /** A hub with default policy on which ownership is not enforced, as in fixtures. */
    static Desk implied() {
        return new Desk(TaskPolicy.DEFAULTS);
    }

    /** A hub with that policy to which everybody speaks through a session of a network transport. */
    static Desk network(TaskPolicy policy) {
        Desk desk = new Desk(policy);
        desk.enforce = true;
        return desk;
    }

    static Desk network() {
        return network(TaskPolicy.DEFAULTS);
    }

    // --- people

    void attach(String... identities) {
        for (String identity : identities) {
            attached.put(identity, true);
            seen.put(identity, now);
        }
    }

    void detach(String identity) {
        attached.put(identity, false);
        seen.put(identity, now);
    }

    @Override
    public boolean attached(String tenant, String identity) {
        return attached.getOrDefault(identity, false);
    }

    @Override
    public long lastSeen(String tenant, String identity) {
        return attached(tenant, identity) ? now : seen.getOrDefault(identity, 0L);
    }

    @Override
    public boolean knows(String tenant, String identity) {
        return seen.containsKey(identity);
    }

    @Override
    public boolean holds(String tenant, String identity, String right) {
        return true;
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
        return tasks.exists(tenant, taskId);
    }

    @Override
    public boolean taskLives(String tenant, String taskId) {
        return tasks.exists(tenant, taskId) && !tasks.isEnded(tenant, taskId);
    }

    @Override
    public String taskOwner(String tenant, String taskId) {
        return tasks.owner(tenant, taskId);
    }

    @Override
    public String taskSubmitter(String tenant, String taskId) {
        return tasks.submitter(tenant, taskId);
    }

    @Override
    public String taskParent(String tenant, String taskId) {
        return tasks.parent(tenant, taskId);
    }

    /** The circumstances in which that identity speaks now. */
    Context context(String actor, String session) {
        Context.Speaker speaker = new Context.Speaker(
                TENANT,
                actor,
                session,
                enforce,
                supervisors.contains(actor),
                pools,
                _ -> true,
                _ -> true,
                dev.harmovela.contract.json.Json.Obj.of());
        return new Context(now, speaker, nextLsn, ids, this);
    }

    /** The circumstances in which the hub acts by itself now. */
    Context ours() {
        return new Context(now, Context.Speaker.hub(TENANT), nextLsn, ids, this);
    }

    // --- speaking

    Event event(String action, String source, String taskId, UnaryOperator<EventDraft> more) {
        Json.Obj payload = taskId == null
                ? Json.Obj.of()
                : Json.Obj.builder().put("task_id", taskId).build();
        EventDraft draft = EventDraft.of(
                        EventRegistry.standard().require("task." + action), ids.next("evt"), source, now)
                .taskId(taskId)
                .payload(payload);
        return more.apply(draft).build();
    }

    Decision send(String action, String source, String taskId) {
        return send(action, source, taskId, draft -> draft);
    }

    Decision send(String action, String source, String taskId, UnaryOperator<EventDraft> more) {
        return send(event(action, source, taskId, more));
    }

    Decision send(Event event) {
        String session = enforce ? "sess_" + event.source() : null;
        Context context = context(event.source(), session);
        byte[] before = snapshot();
        Decision decision = tasks.decide(event, context);
        assertThat(snapshot()).as("deciding changes nothing").isEqualTo(before);
        record(decision, event);
        return decision;
    }

    void submit(String source, String taskId) {
        accepted(send("submitted", source, taskId));
    }

    void child(String source, String taskId, String parentId) {
        accepted(send("submitted", source, taskId, draft -> draft.parentTaskId(parentId)));
    }

    void claim(String owner, String taskId) {
        accepted(send("accepted", owner, taskId));
    }

    void start(String owner, String taskId) {
        accepted(send("started", owner, taskId));
    }

    ProtocolError refused(String action, String source, String taskId) {
        return refusal(send(action, source, taskId));
    }

    static ProtocolError refusal(Decision decision) {
        assertThat(decision.refusal()).as("a refusal").isNotNull();
        assertThat(decision.isEmpty()).isTrue();
        return decision.refusal();
    }

    static Decision accepted(Decision decision) {
        assertThat(decision.refusal()).isNull();
        assertThat(decision.duplicate()).isFalse();
        return decision;
    }

    // --- time

    void pass(long millis) {
        now += millis;
        fire();
    }

    /** Lets everything due happen; returns the types that the hub said. */
    List<String> fire() {
        List<String> said = new ArrayList<>();
        for (int rounds = 0; ; rounds++) {
            assertThat(rounds).as("firing comes to an end").isLessThan(10_000);
            byte[] before = snapshot();
            Decision decision = tasks.fire(ours());
            assertThat(snapshot()).as("deciding changes nothing").isEqualTo(before);
            record(decision, null);
            decision.after().forEach(event -> said.add(event.type().name()));
            if (!decision.more()) {
                return said;
            }
        }
    }

    void leave(String identity) {
        Decision decision;
        do {
            decision = tasks.sessionEnded(TENANT, identity, "sess_" + identity, now, nextLsn, ids);
            record(decision, null);
        } while (decision.more());
    }

    /** The hub stops and comes back with what it wrote: by snapshot, or by its facts. */
    void restart(boolean fromSnapshot) {
        byte[] state = snapshot();
        tasks = new Tasks(policy);
        if (fromSnapshot) {
            tasks.restore(new In(state));
        } else {
            facts.forEach(tasks::apply);
        }
        assertThat(snapshot()).isEqualTo(state);
        tasks.started(now);
    }

    // --- recording

    void record(Decision decision, Event input) {
        assertThat(decision.before().size() + decision.after().size()).isLessThanOrEqualTo(Decision.MAX_EVENTS);
        long first = nextLsn;
        decision.before().forEach(this::append);
        if (decision.store() == Decision.Store.STORE) {
            assertThat(input).isNotNull();
            append(input);
        }
        decision.after().forEach(this::append);
        for (Fact fact : decision.facts()) {
            assertPositioned(fact, first);
            assertReadBack(fact);
            tasks.apply(fact);
            facts.add(fact);
        }
    }

    private void append(Event event) {
        log.add(new Entry(nextLsn++, event));
    }

    /** A fact names an event of its own frame. */
    private void assertPositioned(Fact fact, long first) {
        long lsn = switch ((TaskFact) fact) {
            case TaskFact.Submitted born -> born.lsn();
            case TaskFact.Moved moved -> moved.lsn();
            case TaskFact.Claimed claimed -> claimed.lsn();
            case TaskFact.Ended ended -> ended.lsn();
            case TaskFact.Noticed noticed -> noticed.lsn();
            case TaskFact.LeaseSet _,
                    TaskFact.CancelBegan _,
                    TaskFact.Confirmed _,
                    TaskFact.Shrunk _,
                    TaskFact.Forgotten _,
                    TaskFact.SpaceEnded _,
                    TaskFact.Carried _ -> first;
        };
        assertThat(lsn).as("position in %s", fact).isBetween(first, Math.max(first, nextLsn - 1));
        if (fact instanceof TaskFact.Ended ended) {
            Entry entry = log.get((int) (ended.lsn() - 1));
            assertThat(entry.taskId()).isEqualTo(ended.taskId());
            assertThat(entry.type()).isEqualTo("task." + ended.state().name().toLowerCase());
        }
    }

    static void assertReadBack(Fact fact) {
        Out out = new Out();
        fact.write(out);
        In in = new In(out.toByteArray());
        assertThat(Tasks.read(fact.kind(), fact.version(), in)).isEqualTo(fact);
        assertThat(in.remaining()).isZero();
    }

    byte[] snapshot() {
        return snapshot(tasks);
    }

    static byte[] snapshot(Tasks tasks) {
        Out out = new Out();
        tasks.snapshot(out);
        return out.toByteArray();
    }

    /** Replaying every fact, and reading the snapshot back, give the same state. */
    void assertFoldsTheSame() {
        Tasks replayed = new Tasks(policy);
        facts.forEach(replayed::apply);
        assertThat(snapshot(replayed)).isEqualTo(snapshot());
        Tasks restored = new Tasks(policy);
        restored.restore(new In(snapshot()));
        assertThat(snapshot(restored)).isEqualTo(snapshot());
        followFrom(0);
        followFrom(facts.size() / 3);
        followFrom(facts.size() / 2);
    }

    /** A log whose beginning is gone can be followed, and says of every end in it as much as is known. */
    private void followFrom(int first) {
        Tasks follower = new Tasks(policy);
        Tasks whole = new Tasks(policy);
        facts.subList(0, first).forEach(whole::apply);
        for (Fact fact : facts.subList(first, facts.size())) {
            follower.follow(fact);
            whole.apply(fact);
            Tasks.EndedTask ended = Tasks.ended(fact);
            if (ended != null) {
                Json.Obj told = follower.described(fact);
                assertThat(told.string("state")).isEqualTo(ended.state().name());
                assertThat(told.string("ended_at")).isNotNull();
                if (!told.has("detail") && first == 0) {
                    assertThat(told).isEqualTo(whole.described(fact));
                }
            }
        }
    }

    // --- reading

    /** What was said about a task, hub and all, in order. */
    List<String> story(String taskId) {
        return log.stream()
                .filter(entry -> entry.taskId().equals(taskId))
                .map(entry -> entry.type().substring("task.".length()))
                .toList();
    }

    Entry last(String action, String taskId) {
        return log.reversed().stream()
                .filter(entry ->
                        entry.type().equals("task." + action) && entry.taskId().equals(taskId))
                .findFirst()
                .orElseThrow();
    }

    TaskState state(String taskId) {
        return tasks.state(TENANT, taskId);
    }

    String owner(String taskId) {
        return tasks.owner(TENANT, taskId);
    }

    Json.Obj describe(String taskId) {
        return tasks.describe(TENANT, taskId);
    }
}
