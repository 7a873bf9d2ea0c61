package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;

/**
 * How long something is fresh (§9).
 *
 * @param resource its name
 * @param until when it grows stale, epoch milliseconds
 * @param eventId the event that said so
 */
record Window(About about, String resource, long until, String eventId) {

    /** What kind of thing grows stale. The order is part of the stored form. */
    enum About {
        STATE,
        CONTEXT,
        BELIEF,
        OTHER
    }

    void write(Out out) {
        out.varint(about.ordinal()).string(resource).varint(until).string(eventId);
    }

    static Window read(In in) {
        return new Window(About.values()[in.count()], in.string(), in.varint(), in.string());
    }
}
