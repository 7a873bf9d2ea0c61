package dev.harmovela.dimension.task;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What shall happen. The frame gets {@code before}, then the input event when it is stored, then {@code after};
 * their positions
 * rise by one from the {@code nextLsn} that was given, and the facts name them. A refusal or a duplicate has no
 * effect at all.
 *
 * @param refusal why the event is refused, null when it is not
 * @param duplicate whether the event says what is known already: acknowledged with {@code duplicate: true}, not stored
 * @param store whether the input event itself becomes a record; DROP with neither refusal nor duplicate means
 * that the hub
 *     says it in its own words later
 * @param before events the hub makes that precede the input event
 * @param after events the hub makes that follow it
 * @param facts changes of state, to be applied in this order
 * @param tenant whose frame this is, null when there is nothing to write
 * @param taskId the task meant, also one the hub has just named
 * @param routeTo an identity that must get the input event in its inbox although the event may not name it: the
 * owner that a
 *     cancellation asks to stop
 * @param rest whether the same question has more to give once these facts are applied
 */
public record TaskDecision(
        @Nullable ProtocolError refusal,
        boolean duplicate,
        Store store,
        List<Event> before,
        List<Event> after,
        List<Fact> facts,
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
    static final TaskDecision NOTHING =
            new TaskDecision(null, false, Store.DROP, List.of(), List.of(), List.of(), null, null, null, Rest.DONE);

    /** At most so many events are made in one decision. */
    public static final int MAX_EVENTS = 256;

    public TaskDecision {
        before = List.copyOf(before);
        after = List.copyOf(after);
        facts = List.copyOf(facts);
    }

    static TaskDecision refused(ProtocolError error, @Nullable String taskId) {
        return new TaskDecision(
                error, false, Store.DROP, List.of(), List.of(), List.of(), null, taskId, null, Rest.DONE);
    }

    static TaskDecision known(String taskId) {
        return new TaskDecision(null, true, Store.DROP, List.of(), List.of(), List.of(), null, taskId, null, Rest.DONE);
    }

    /** Whether to ask again after applying. */
    public boolean more() {
        return rest == Rest.MORE;
    }

    /** Whether there is nothing to write: no event and no fact. */
    public boolean isEmpty() {
        return facts.isEmpty() && before.isEmpty() && after.isEmpty() && store == Store.DROP;
    }
}
