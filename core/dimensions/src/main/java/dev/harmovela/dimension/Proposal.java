package dev.harmovela.dimension;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Ids;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.dimension.Decision.Rest;
import dev.harmovela.dimension.Decision.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision in the making: events and facts in order, with their positions. Changes no state. */
public class Proposal {

    /** The name the hub's own events carry as source. */
    public static final String HUB = "harness:harmovela";

    /** An event that the hub makes: its position, 0 for one that has none, and its id. */
    public record Said(long lsn, String id) {}

    private final String tenant;
    private final long now;
    private final Ids ids;
    private final EventRegistry types;
    private final List<Event> before = new ArrayList<>();
    private final List<Event> after = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private final List<Signal> signals = new ArrayList<>();
    private List<Event> sink = before;
    private @Nullable ProtocolError refusal;
    private Store store = Store.DROP;
    private Rest rest = Rest.DONE;
    private @Nullable String routeTo;
    private long lsn;

    public Proposal(String tenant, long now, long nextLsn, Ids ids, EventRegistry types) {
        this.tenant = tenant;
        this.now = now;
        this.lsn = nextLsn;
        this.ids = ids;
        this.types = types;
    }

    /** A proposal in those circumstances. */
    public Proposal(Context at, EventRegistry types) {
        this(at.tenant(), at.now(), at.nextLsn(), at.ids(), types);
    }

    public final long now() {
        return now;
    }

    public final String tenant() {
        return tenant;
    }

    // --- events

    /** The input event stands here in the frame; returns its position. */
    public final long input() {
        store = Store.STORE;
        sink = after;
        return lsn++;
    }

    /** There is no input event, or it does not become a record. */
    public final void noInput() {
        sink = after;
    }

    /** The input event is refused; what is proposed besides takes place nevertheless. */
    public final void refuse(ProtocolError error) {
        refusal = error;
        noInput();
    }

    /** The beginning of an event that the hub itself says now. */
    public final EventDraft draft(String type) {
        return EventDraft.of(types.require(type), ids.next("evt"), HUB, now);
    }

    /** An id nobody has had, for something else than an event. */
    public final String newId(String prefix) {
        return ids.next(prefix);
    }

    /** The hub says that; an event that asks for best effort has no position. */
    public final Said say(EventDraft draft) {
        Event made = draft.build();
        sink.add(made);
        boolean stored = made.delivery().mode() != DeliveryMode.BEST_EFFORT;
        return new Said(stored ? lsn++ : 0, made.id());
    }

    /** The input event must reach that identity although it may not name it. */
    public final void routeTo(@Nullable String identity) {
        routeTo = identity;
    }

    /** Something did not fit. */
    public final void moreToCome() {
        rest = Rest.MORE;
    }

    /** How many events are proposed beside the input. */
    public final int events() {
        return before.size() + after.size();
    }

    /** How many facts are proposed. */
    public final int facts() {
        return facts.size();
    }

    // --- facts

    public final void add(Fact fact) {
        facts.add(fact);
    }

    /** The other dimensions are told. */
    public final void signal(Signal signal) {
        signals.add(signal);
    }

    public final Decision decision(@Nullable String taskId) {
        return new Decision(refusal, false, store, before, after, facts, signals, tenant, taskId, routeTo, rest);
    }
}
