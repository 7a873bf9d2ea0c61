package dev.harmovela.transport.redis;

import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.LinkFailed;
import java.util.List;

/**
 * What one key holds for the hub beside fresh entries: those read by an earlier session, and those that others let
 * lie.
 */
final class KeyReader {

    private static final String START = "0-0";
    private static final long IDLE_MILLIS = 30_000;

    private final Replies replies;
    private final String key;
    private final String group;
    private String seenUpTo = START;
    private boolean caughtUp;
    private String scan = START;
    private long scannedAt = System.nanoTime();

    KeyReader(Replies replies, String key, String group) {
        this.replies = replies;
        this.key = key;
        this.group = group;
    }

    /** Entries that were in hand when an earlier session ended, oldest first; empty when there are no more. */
    List<Inbound> unfinished(int most) throws LinkFailed, InterruptedException {
        if (caughtUp) {
            return List.of();
        }
        List<Inbound> some = replies.seen(key, seenUpTo, group, most);
        caughtUp = some.isEmpty();
        if (!caughtUp) {
            seenUpTo = some.getLast().position();
        }
        return some;
    }

    /**
     * A page of entries that another reader of the group has let lie; the scan wraps at the end and begins again
     * later.
     */
    List<Inbound> abandoned(int most, long everyNanos) throws LinkFailed, InterruptedException {
        boolean inScan = !scan.equals(START);
        if (!inScan && System.nanoTime() - scannedAt < everyNanos) {
            return List.of();
        }
        Replies.Page page = replies.claim(key, group, scan, IDLE_MILLIS, most);
        scan = page.next();
        scannedAt = System.nanoTime();
        return page.found();
    }
}
