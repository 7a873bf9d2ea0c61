package dev.harmovela.harness.delivery;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.recovery.RecoveryFact;
import org.jspecify.annotations.Nullable;

/**
 * What one subscription lost before it was settled.
 *
 * <p>A loss is counted in the log first, so that what follows keeps its number and the consumer sees how much is
 * missing; then it is a fact, and told with the next copy. What is in flight behind it stays with its holder. It is
 * told again after every interruption until something handed out after it is settled. While it is counted nothing is
 * handed out. One owner, not thread-safe.
 */
public final class Losses {

    private static final int READ_AT_ONCE = 1024;

    private final Feed feed;
    private final Deliveries host;
    private @Nullable Gap untold;
    private boolean counting;

    Losses(Feed feed, Deliveries host) {
        this.feed = feed;
        this.host = host;
    }

    /** A loss on its way: what is open behind one position up to another, and no more than {@code most} of it. */
    private record Loss(long behind, long upTo, long most, String reason) {}

    /** How far a loss was counted. */
    private record Count(long lsn, long matches, long open) {}

    private Position position() {
        return feed.route().position();
    }

    // --- telling

    /** What the next copy must tell of, or null. */
    @Nullable Gap toTell() {
        return untold;
    }

    void told() {
        untold = null;
    }

    /** The next copy tells what the consumer may not have heard of. */
    void retell() {
        Position position = position();
        untold = position.gapFrom() == 0 ? null : new Gap(position.gapFrom(), position.gapTo(), position.gapReason());
    }

    // --- losing

    /** Whether a loss is being counted. */
    public boolean isCounting() {
        return counting;
    }

    /** Retention took a part of the log before it was read. */
    void taken(long first, long last, long readSeq) {
        if (position().floorLsn() < last) {
            host.record(new RecoveryFact.Gap(feed.id(), first, last, readSeq, "retention", readSeq));
            retell();
        } else {
            untold = new Gap(first, last, "retention");
        }
    }

    /** The log lets go of what this subscription still wanted: it goes on behind {@code lsn} and is told so. */
    public void loseUpTo(long lsn, String reason) {
        begin(lsn, Long.MAX_VALUE, reason);
    }

    /** So many of the oldest that wait are given up. */
    public void loseOldest(long many, String reason) {
        begin(host.headLsn(), many, reason);
    }

    private void begin(long lsn, long most, String reason) {
        feed.settling().flush();
        long behind = position().floorLsn();
        if (counting || lsn <= behind) {
            return;
        }
        counting = true;
        count(new Loss(behind, lsn, most, reason), new Count(behind, 0, 0));
    }

    private void count(Loss loss, Count before) {
        host.read(feed.route(), before.lsn(), READ_AT_ONCE, chunk -> {
            if (feed.isEnded()) {
                return;
            }
            feed.settling().flush();
            Count now = counted(chunk, loss, before);
            if (position().floorLsn() != loss.behind()) {
                // the consumer moved on meanwhile: what is lost begins later
                counting = false;
                begin(loss.upTo(), loss.most(), loss.reason());
            } else if (now.lsn() >= loss.upTo() || now.open() >= loss.most()) {
                counting = false;
                lose(loss, now);
            } else if (now.lsn() > before.lsn()) {
                count(loss, now);
            } else {
                counting = false;
            }
            feed.pump();
        });
    }

    private Count counted(Deliveries.Chunk chunk, Loss loss, Count before) {
        long matches = before.matches();
        long open = before.open();
        for (Deliveries.Read one : chunk.reads()) {
            if (one.lsn() > loss.upTo()) {
                break;
            }
            if (!position().isSkipped(one.lsn())
                    && Delivery.mode(feed.route(), one.event()) != DeliveryMode.BEST_EFFORT) {
                matches++;
                open += position().isSettled(position().floorSeq() + matches) ? 0 : 1;
                if (open >= loss.most()) {
                    return new Count(one.lsn(), matches, open);
                }
            }
        }
        return new Count(Math.min(chunk.scannedTo(), loss.upTo()), matches, open);
    }

    private void lose(Loss loss, Count counted) {
        long floorSeq = position().floorSeq() + counted.matches();
        host.record(new RecoveryFact.Gap(
                feed.id(),
                loss.behind() + 1,
                counted.lsn(),
                floorSeq,
                loss.reason(),
                Math.max(floorSeq, feed.readSeq())));
        feed.settling().forgetUpTo(floorSeq);
        feed.goOnBehind(counted.lsn(), floorSeq);
        retell();
    }
}
