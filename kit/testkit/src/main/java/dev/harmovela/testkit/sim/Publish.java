package dev.harmovela.testkit.sim;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/** One event that a client means to publish, however often it sends it, and what it was told about it. */
final class Publish {

    final Json.Obj json;
    final Event event;
    /** The event whose id this one took although its content differs, or null. */
    final @Nullable Publish conflictsWith;
    /** Position of the acknowledged event, 0 as long as none was shown. */
    long lsn;

    boolean refused;
    /** A publisher was told that it is stored, other than as a duplicate. */
    boolean acknowledged;

    Publish(Json.Obj json, Event event, @Nullable Publish conflictsWith) {
        this.json = json;
        this.event = event;
        this.conflictsWith = conflictsWith;
    }

    String id() {
        return event.id();
    }

    String type() {
        return event.type().name();
    }

    boolean isTask() {
        return event.type().in("task");
    }

    boolean isStored() {
        return event.delivery().mode() != DeliveryMode.BEST_EFFORT;
    }
}
