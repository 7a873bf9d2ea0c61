package dev.harmovela.testkit.sim;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Peace at the end: everybody comes back, takes what there is and acknowledges it; then what was promised must have
 * come.
 */
final class Finale {

    private static final int ROUNDS = 60;
    private static final int CALM_ROUNDS = 4;

    private final World world;

    Finale(World world) {
        this.world = world;
    }

    void play() throws IOException {
        world.script.add("peace");
        rest();
        if (world.oracle.copies.subscriptions().stream().anyMatch(one -> one.parks)) {
            // who is parked gets more once it attaches again
            rest();
        }
        fenceAll();
        world.machine.checkState();
        answeredAll();
        deliveredAll();
        counted();
        world.letters.settled();
        settledAll();
    }

    /**
     * Nothing that was sent is forgotten: somebody dealt with it, it is a letter, its time was over, or it is lost,
     * which the hub counts until the next copy can tell. A request in an inbox is also settled by whatever its
     * receiver says about the task (D32).
     */
    private void settledAll() {
        for (Subscribed to : world.oracle.copies.subscriptions()) {
            long untold = to.discarded - to.untoldLosses;
            for (Copy copy : isServed(world, to) ? to.bySeq.values() : List.<Copy>of()) {
                boolean over = to.dealtWith.contains(copy.eventId)
                        || to.lost(copy.lsn)
                        || world.oracle.copies.mayBeUnsent(to, copy.event)
                        || world.letters.knows(copy.eventId)
                        || copy.event.type().name().equals("event.dead_lettered")
                        || (to.inbox && copy.event.type().name().equals("task.cancel.requested"));
                boolean lostUntold = !over && (to.mayLose || world.forgets()) && untold-- > 0;
                if (!over && !lostUntold) {
                    throw new Violation(
                            to.id + ": " + copy.seq + " (" + copy.eventId + ") was sent and then forgotten");
                }
            }
        }
    }

    /** Everybody comes anew, and things go on until nothing happens any more. */
    private void rest() throws IOException {
        for (Agent agent : world.agents) {
            for (AgentWire wire : List.copyOf(agent.wires)) {
                world.guarded(wire::cut);
            }
            agent.held.clear();
            agent.wires.clear();
            world.guarded(() -> agent.open(agent.connect(1_000), true, false));
        }
        int calm = 0;
        for (int round = 0; calm < CALM_ROUNDS; round++) {
            if (round > ROUNDS) {
                throw new Violation("no rest after " + ROUNDS + " rounds: something goes on for ever");
            }
            calm = round() ? 0 : calm + 1;
        }
    }

    /** Lets everything happen that can; returns whether any event was delivered or settled. */
    private boolean round() throws IOException {
        int before = world.oracle.copies.delivered();
        boolean said = exchange();
        // what is due goes out first: a parked subscription is looked at again after two seconds
        said |= pass(10) | pass(1_990);
        return said || world.oracle.copies.delivered() != before;
    }

    private boolean pass(long millis) throws IOException {
        world.guarded(() -> {
            world.machine.advance(millis);
            world.machine.tick();
            world.machine.settle();
        });
        return exchange();
    }

    private boolean exchange() throws IOException {
        boolean any = false;
        boolean more = true;
        for (int i = 0; more; i++) {
            if (i > 10_000) {
                throw new Violation("messages go back and forth for ever");
            }
            more = false;
            world.guarded(world.machine::settle);
            for (Agent agent : world.agents) {
                more |= converse(agent);
            }
            any |= more;
        }
        return any;
    }

    private boolean converse(Agent agent) throws IOException {
        AgentWire wire = agent.wire();
        if (wire == null) {
            agent.wires.clear();
            world.guarded(() -> agent.open(agent.connect(1_000), true, false));
            return true;
        }
        boolean any = false;
        while (agent.read(wire)) {
            any = true;
        }
        if (!agent.hasSession() && wire.toHub.isEmpty() && wire.unanswered.isEmpty()) {
            agent.open(wire, false, false);
            any = true;
        }
        for (Agent.Held delivery : List.copyOf(agent.held)) {
            agent.acknowledge(wire, delivery, true);
            any = true;
        }
        if (!wire.toHub.isEmpty()) {
            world.guarded(() -> wire.carry(Integer.MAX_VALUE));
            any = true;
        }
        return any;
    }

    private void fenceAll() throws IOException {
        for (Agent agent : world.agents) {
            AgentWire wire = agent.wire();
            if (wire != null && agent.hasSession()) {
                agent.send(wire, "session.heartbeat", Json.Obj.of());
            }
        }
        exchange();
    }

    // --- what must hold now

    private void answeredAll() {
        for (Agent agent : world.agents) {
            for (AgentWire wire : agent.wires) {
                for (ArrayDeque<Sent> waiting : wire.unanswered.values()) {
                    for (Sent message : waiting) {
                        if (message.isAnswered()) {
                            throw new Violation(message + " on " + wire + " was never answered");
                        }
                    }
                }
            }
        }
    }

    private void deliveredAll() {
        for (Subscribed to : world.oracle.copies.subscriptions()) {
            if (isServed(world, to)) {
                for (Publish one : world.published()) {
                    if (one.lsn > to.start && one.isStored() && !world.oracle.copies.mayBeUnsent(to, one.event)) {
                        require(to, one.event, one.lsn);
                    }
                }
                numbered(to);
                for (Copy copy : world.oracle.copies.witnessed()) {
                    boolean byHub = world.published(copy.eventId) == null;
                    if (byHub && copy.lsn > to.start && !world.oracle.copies.mayBeUnsent(to, copy.event)) {
                        require(to, copy.event, copy.lsn);
                    }
                }
            }
        }
    }

    /**
     * Every number up to the last was sent, but for events that had expired or were withdrawn first. What an inbox
     * was about to
     * send may also have been answered by another session of its identity.
     */
    private void numbered(Subscribed to) {
        if (to.inbox && to.shared) {
            return;
        }
        long missing = to.lastSeq - to.bySeq.size();
        if (missing > world.oracle.copies.excused(to, 0, to.lastLsn)) {
            throw new Violation(to.id + ": " + missing + " of " + to.lastSeq + " numbers were never sent");
        }
    }

    private void require(Subscribed to, Event event, long lsn) {
        if (to.lost(lsn) || !to.filter.matches(event) || to.byEvent.containsKey(event.id())) {
            return;
        }
        boolean next = lsn > to.lastLsn && (to.mayLose || world.forgets());
        to.untoldLosses++;
        if (!next) {
            throw new Violation(to.id + " was never sent " + event.id() + " of type " + event.type() + " at " + lsn);
        }
    }

    /** Whether somebody is there who takes everything of a subscription. */
    static boolean isServed(World world, Subscribed to) {
        if (to.ending || to.mode == DeliveryMode.BEST_EFFORT) {
            return false;
        }
        for (Agent agent : world.agents) {
            boolean holds =
                    to.inbox ? agent.identity.equals(to.identity) : agent.hasSession() && to.isHeldBy(agent.session());
            if (holds && agent.hasSession() && agent.wire() != null) {
                return true;
            }
        }
        return false;
    }

    private void counted() throws IOException {
        Answer[] got = new Answer[1];
        world.guarded(() -> {
            world.machine
                    .hub()
                    .ask(
                            Caller.open(),
                            new Ask("subscriptions", null, Json.Obj.of(), 1_000, null),
                            answer -> got[0] = answer);
            world.machine.settle();
        });
        if (!(got[0] instanceof Answer.Found found)) {
            throw new Violation("no statistics: " + got[0]);
        }
        Json.Arr rows = found.body().array("items");
        for (Json row : rows == null ? List.<Json>of() : rows.items()) {
            if (row instanceof Json.Obj one) {
                counted(one);
            }
        }
        for (Subscribed one : world.oracle.copies.subscriptions()) {
            if (isServed(world, one) && (rows == null || !rows.toString().contains("\"" + one.id + "\""))) {
                throw new Violation("subscription " + one.id + " has vanished");
            }
        }
    }

    private void counted(Json.Obj row) {
        Subscribed known = world.oracle.copies.find(Oracle.string(row, "subscription_id"));
        Json.Obj counts = row.object("deliveries");
        if (counts == null) {
            throw new Violation("no counts in " + row);
        }
        long ended = count(counts, "acknowledged")
                + count(counts, "deadLettered")
                + count(counts, "expired")
                + count(counts, "discarded");
        if (known != null) {
            known.discarded = count(counts, "discarded");
        }
        if (known != null && known.discarded < known.untoldLosses) {
            throw new Violation(known.id + " was not sent " + known.untoldLosses + " events: " + counts);
        }
        boolean quiet = known != null && isServed(world, known);
        if (count(counts, "total") != ended + count(counts, "pending") || (quiet && count(counts, "pending") != 0)) {
            throw new Violation("the deliveries of " + row.string("subscription_id") + " do not add up: " + counts);
        }
    }

    private static long count(Json.Obj counts, String name) {
        @Nullable Long value = counts.integer(name);
        if (value == null) {
            throw new Violation("no " + name + " in " + counts);
        }
        return value;
    }
}
