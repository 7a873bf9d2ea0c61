package dev.harmovela.dimension;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What shall happen. The frame gets {@code before}, then the input event when it is stored, then {@code after};
 * their positions rise by one from the {@code nextLsn} that was given, and the facts name them. A refused event is
 * never stored; whatever else its decision names takes place nevertheless, as the consequence of having tried. A
 * duplicate has no effect at all.
 *
 * @param refusal why the event is refused, null when it is not
 * @param duplicate whether the event says what is known already: acknowledged with {@code duplicate: true}, not stored
 * @param store whether the input event itself becomes a record; DROP with neither refusal nor duplicate means
 * that the hub says it in its own words later
 * @param before events the hub makes that precede the input event
 * @param after events the hub makes that follow it
 * @param facts changes of state, to be applied in this order
 * @param signals what the other dimensions are told once the facts are applied, in this order
 * @param tenant whose frame this is, null when there is nothing to write
 * @param taskId the task meant, also one the hub has just named
 * @param routeTo an identity that must get the input event in its inbox although the event may not name it: the
 * owner that a cancellation asks to stop
 * @param rest whether the same question has more to give once these facts are applied
 */
public record Decision(
        @Nullable ProtocolError refusal,
        boolean duplicate,
        Store store,
        List<Event> before,
        List<Event> after,
        List<Fact> facts,
        List<Signal> signals,
        @Nullable String tenant,
        @Nullable String taskId,
        @Nullable String routeTo,
        Rest rest) {

    /** Whether the input event becomes an event record. */
    public enum Store {
        STORE,
        DROP
    }

    /** Whether work is left that did not fit the frame. */
    public enum Rest {
        DONE,
        MORE
    }

    /** Nothing happens. */
    public static final Decision NOTHING = bare(null, false, null);

    /** At most so many events are made in one decision, and in all the reactions to it. */
    public static final int MAX_EVENTS = 256;

    public Decision {
        before = List.copyOf(before);
        after = List.copyOf(after);
        facts = List.copyOf(facts);
        signals = List.copyOf(signals);
    }

    private static Decision bare(@Nullable ProtocolError refusal, boolean duplicate, @Nullable String taskId) {
        return new Decision(
                refusal,
                duplicate,
                Store.DROP,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null,
                taskId,
                null,
                Rest.DONE);
    }

    /** The event is refused, and nothing else happens. */
    public static Decision refused(ProtocolError error, @Nullable String taskId) {
        return bare(error, false, taskId);
    }

    /** The event says what is known already. */
    public static Decision known(@Nullable String taskId) {
        return bare(null, true, taskId);
    }

    /** The same, of which the other dimensions are told that as well. */
    public Decision and(Signal signal) {
        List<Signal> more = new ArrayList<>(signals);
        more.add(signal);
        return new Decision(refusal, duplicate, store, before, after, facts, more, tenant, taskId, routeTo, rest);
    }

    /** The same with one more fact. */
    public Decision and(Fact fact) {
        List<Fact> more = new ArrayList<>(facts);
        more.add(fact);
        return new Decision(refusal, duplicate, store, before, after, more, signals, tenant, taskId, routeTo, rest);
    }

    /** The same as a reaction: what it decided about is an event of the hub's own. */
    public Decision saying(Event event) {
        List<Event> all = new ArrayList<>(before);
        all.add(event);
        all.addAll(after);
        return new Decision(
                refusal, duplicate, Store.DROP, List.of(), all, facts, signals, tenant, taskId, routeTo, rest);
    }

    /** Whether to ask again after applying. */
    public boolean more() {
        return rest == Rest.MORE;
    }

    /** Whether there is nothing to write: no event, no fact and nothing that others react to. */
    public boolean isEmpty() {
        return facts.isEmpty() && before.isEmpty() && after.isEmpty() && signals.isEmpty() && store == Store.DROP;
    }
}
