package dev.harmovela.transport.http;

import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Notices a reader that takes nothing while its connection is full, and tells when a full connection has room
 * again. On the loop only.
 */
final class StallWatch {

    private final Channel channel;
    private final Outbox outbox;
    private final long stallMillis;
    private final Runnable drained;
    private final Runnable stalled;
    private final Deadline deadline;
    private boolean full;
    private boolean telling;
    private boolean watching;
    private @Nullable Object seenHead;
    private long seenProgress;

    /**
     * @param drained runs, from the loop's queue, when there is room again after {@link #full()}
     * @param stalled runs when the reader took nothing for {@code stallMillis}
     */
    StallWatch(Channel channel, Outbox outbox, long stallMillis, Runnable drained, Runnable stalled) {
        this.channel = channel;
        this.outbox = outbox;
        this.stallMillis = stallMillis;
        this.drained = drained;
        this.stalled = stalled;
        this.deadline = new Deadline(channel.eventLoop(), this::check);
    }

    /** The hub was told that there is no room. */
    void full() {
        full = true;
    }

    /** Bytes were flushed, or the channel became writable or stopped to be. */
    void changed() {
        if (!channel.isWritable()) {
            watch();
            return;
        }
        watching = false;
        deadline.off();
        if (full && !telling && outbox.writable()) {
            telling = true;
            channel.eventLoop().execute(this::tell);
        }
    }

    void cancel() {
        full = false;
        deadline.cancel();
    }

    private void watch() {
        if (!watching) {
            watching = true;
            seenHead = outbox.head();
            seenProgress = outbox.headProgress();
            deadline.in(stallMillis);
        }
    }

    private void tell() {
        telling = false;
        if (full && outbox.writable()) {
            full = false;
            drained.run();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same write, not an equal one
    private void check() {
        watching = false;
        if (!channel.isWritable() && outbox.head() == seenHead && outbox.headProgress() == seenProgress) {
            stalled.run();
        } else {
            changed();
        }
    }
}
