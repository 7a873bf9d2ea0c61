package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.DimensionState;
import dev.harmovela.dimension.Signal;
import dev.harmovela.harness.frame.AsSent;
import dev.harmovela.harness.frame.Frame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one frame of a decision and of everything that the dimensions make of it: facts are applied, events and signals
 * are told first-in-first-out to those who react, whose facts, events and signals join the same frame, until nobody has
 * anything to add. What needs more than {@link Decision#MAX_EVENTS} events is a process of its dimension and not a
 * reaction.
 */
final class Framing {

    private final Shard shard;
    private final Context at;
    private final Frame.Header header;
    private final List<Event> events = new ArrayList<>();
    private final List<Event> passings = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private final Deque<Signal> signals = new ArrayDeque<>();
    private final List<Signal.EndSession> sessionsToEnd = new ArrayList<>();
    private final long first;
    private int told;
    private boolean more;

    /** A frame that begins at the position for which {@code at} was made. */
    Framing(Shard shard, Frame.Header header, Context at) {
        this.shard = shard;
        this.header = header;
        this.at = at;
        this.first = at.nextLsn();
    }

    /** Whether a dimension has more to do at once, for which it waits to be {@linkplain DimensionState#fire asked}. */
    boolean more() {
        return more;
    }

    /** Sessions that shall end after this frame. */
    List<Signal.EndSession> sessionsToEnd() {
        return sessionsToEnd;
    }

    /** Facts that precede everything else. */
    Framing with(List<? extends Fact> before) {
        before.forEach(this::add);
        return this;
    }

    /**
     * Writes a decision and what follows from it; returns the position of the input event, or of the frame when it is
     * not stored.
     */
    long commit(Decision decision, @Nullable Event input) {
        shard.prepare(List.of());
        if (shard.journal.lastLsn() + 1 != first) {
            throw new IllegalStateException("the log moved on to " + shard.journal.lastLsn() + " while deciding");
        }
        Event taken = decision.store() == Decision.Store.STORE ? input : null;
        Event passing = taken == null || Shard.isStored(taken) ? null : taken;
        int place = (int) decision.before().stream().filter(Shard::isStored).count();
        say(decision.before());
        if (taken != null && passing == null) {
            events.add(taken);
        }
        take(decision);
        String asked = decision.routeTo();
        if (input != null && asked != null && !asked.equals(input.target())) {
            events.add(askedToStop(input, asked));
        }
        if (passing != null) {
            tell(passing, 0);
        }
        react();
        if (input != null && taken == null) {
            noteAsSent(input);
        }
        if (!events.isEmpty() || !facts.isEmpty()) {
            inboxes();
            shard.write(header, events, facts);
        }
        if (passing != null) {
            shard.pass(header.tenant(), passing);
        }
        passings.forEach(event -> shard.pass(header.tenant(), event));
        return taken != null && passing == null ? first + place : first;
    }

    /** The hub passes on in its own words what was sent: sent again, it is the same nevertheless. */
    private void noteAsSent(Event input) {
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            boolean same = event.id().equals(input.id()) && event.source().equals(input.source());
            if (same && event.contentHash() != input.contentHash()) {
                add(new AsSent(first + i, input.contentHash()));
            }
        }
    }

    private void add(Fact fact) {
        if (fact.kept()) {
            facts.add(fact);
        }
        shard.apply(fact);
    }

    /** The hub says that: what asks for best effort leaves when the frame is written, and in none. */
    private void say(List<Event> said) {
        for (Event event : said) {
            if (Shard.isStored(event)) {
                events.add(event);
            } else {
                passings.add(event);
                tell(event, 0);
            }
        }
    }

    private void take(Decision decision) {
        say(decision.after());
        decision.facts().forEach(this::add);
        signals.addAll(decision.signals());
        more |= decision.more();
    }

    private void react() {
        while (true) {
            for (; told < events.size(); told++) {
                tell(events.get(told), first + told);
            }
            Signal signal = signals.poll();
            if (signal == null) {
                return;
            }
            if (signal instanceof Signal.EndSession end) {
                sessionsToEnd.add(end);
                continue;
            }
            List<DimensionState> who = signal instanceof Signal.Happened happened
                    ? shard.state.dimensions.of(happened.event().type()).followers()
                    : shard.state.dimensions.all();
            for (DimensionState one : who) {
                Decision reaction = one.react(signal, at.from(first + events.size()));
                say(reaction.before());
                take(reaction);
            }
            if (events.size() > 2 * Decision.MAX_EVENTS) {
                throw new IllegalStateException("reactions to " + header.cause() + " do not end");
            }
        }
    }

    private void tell(Event event, long lsn) {
        if (!shard.state.dimensions.of(event.type()).followers().isEmpty()) {
            signals.add(new Signal.Happened(header.tenant(), event, lsn));
        }
    }

    /** An event may name an agent that has not attached yet: its inbox begins with that event (D6, D31). */
    private void inboxes() {
        for (Event event : events) {
            String target = event.target();
            Fact inbox = target == null ? null : shard.subscriptions.inboxIfNew(header.tenant(), target);
            if (inbox != null) {
                add(inbox);
            }
        }
    }

    /** The owner's own copy of a request that names only the task. */
    private Event askedToStop(Event request, String owner) {
        String taskId = request.taskId();
        return shard.replies
                .draft("task.cancel.requested")
                .target(owner)
                .taskId(taskId)
                .correlationId(request.correlationId())
                .causationId(request.id())
                .payload(Json.Obj.builder()
                        .put("task_id", taskId)
                        .put("reason", request.payload().string("reason"))
                        .put("requested_by", request.source())
                        .build())
                .build();
    }
}
