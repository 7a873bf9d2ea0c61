package dev.harmovela.harness.delivery;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.dimension.recovery.RecoveryFact;
import dev.harmovela.harness.frame.Ring;
import dev.harmovela.harness.routing.Route;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What feeds need from the shard they belong to. */
public interface Deliveries {

    /** Epoch milliseconds of the current input. */
    long now();

    /** A number from 0 to below 1 that nobody can foretell; handed in like ids, so that a run can be repeated. */
    double chance();

    /** Last appended position. */
    long headLsn();

    /** Oldest position that can be read. */
    long firstLsn();

    /** The newest events. */
    Ring ring();

    /** Most bytes in flight for one subscription. */
    long windowBytes();

    /** What the subscriptions of a tenant may have in flight together. */
    Allowance allowance(String tenant);

    /** Makes a fact part of the log and applies it. */
    void record(RecoveryFact fact);

    /**
     * A consumer has acknowledged the event at {@code lsn}, 0 when that is no longer known; nothing was settled
     * yet.
     */
    void acknowledged(Feed feed, long seq, long lsn);

    /** Puts a copy behind everything that was appended so far. */
    void send(Outlet outlet, Delivery delivery, Departure departure);

    /** Tells the outlet that an event comes again, before it does. */
    void announceRedelivery(Outlet outlet, Delivery delivery);

    /** Tells the outlet that history has been read up to here and live events follow. */
    void announceReplayed(Outlet outlet, String subscription, long fromLsn, long toLsn, long events);

    /** Reads matches of a route behind {@code afterLsn} from the log, off the owner; the answer comes back on it. */
    void read(Route route, long afterLsn, int limit, Consumer<Chunk> done);

    /** Finds one event, off the owner if need be; null when the log no longer has it. */
    void fetch(long lsn, Consumer<@Nullable Event> done);

    /**
     * Whether an event must not be handed out any more although it is stored (its task ended before it was
     * dispatched).
     */
    boolean withdrawn(Route route, Event event);

    /**
     * Gives a delivery up: stores a dead letter and settles the delivery in the same frame (see {@link Settling}).
     *
     * @param principal whose refusal was the last, empty where it was the hub's clock
     */
    void giveUp(Feed feed, long seq, Event event, RecoveryFact.Failing last, String principal);

    /** The consumer has settled something: it becomes durable with the next batch. */
    void settlesWaiting(Feed feed);

    /** Asks for {@link Feed#tick} at a time. */
    void wake(Feed feed, long at);

    /** A delivery found in the log. */
    record Read(long lsn, Event event) {}

    /**
     * What was read.
     *
     * @param reads matches in log order
     * @param scannedTo everything up to here was looked at
     */
    record Chunk(List<Read> reads, long scannedTo, @Nullable ProtocolError failure) {}
}
