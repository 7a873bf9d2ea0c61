package dev.harmovela.harness.delivery;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.dimension.recovery.Position;
import dev.harmovela.dimension.recovery.RecoveryFact;
import org.jspecify.annotations.Nullable;

/**
 * What one subscription lost before it was settled.
 *
 * <p>A loss is counted in the log first, so that what follows keeps its number and the consumer sees how much is
 * missing; then it is a fact, and told with the next copy. It is told again after every interruption until
 * something behind it is settled. While it is counted nothing is handed out. One owner, not thread-safe.
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

    /** A loss on its way: everything behind one position up to another. */
    private record Loss(long behind, long upTo, String reason) {}

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
            host.record(new RecoveryFact.Gap(feed.id(), first, last, readSeq, "retention"));
            retell();
        } else {
            untold = new Gap(first, last, "retention");
        }
    }

    /** The log lets go of what this subscription still wanted: it goes on behind {@code lsn} and is told so. */
    public void loseUpTo(long lsn, String reason) {
        feed.settling().flush();
        long behind = position().floorLsn();
        if (counting || lsn <= behind) {
            return;
        }
        counting = true;
        count(new Loss(behind, lsn, reason), behind, 0);
    }

    private void count(Loss loss, long after, long matches) {
        host.read(feed.route(), after, READ_AT_ONCE, chunk -> {
            if (feed.isEnded()) {
                return;
            }
            feed.settling().flush();
            long counted = matches + numbered(chunk, loss);
            if (position().floorLsn() != loss.behind()) {
                // the consumer moved on meanwhile: what is lost begins later
                counting = false;
                loseUpTo(loss.upTo(), loss.reason());
            } else if (chunk.scannedTo() >= loss.upTo()) {
                counting = false;
                lose(loss, counted);
            } else if (chunk.scannedTo() > after) {
                count(loss, chunk.scannedTo(), counted);
            } else {
                counting = false;
            }
            feed.pump();
        });
    }

    private long numbered(Deliveries.Chunk chunk, Loss loss) {
        long count = 0;
        for (Deliveries.Read one : chunk.reads()) {
            boolean counts = one.lsn() <= loss.upTo()
                    && !position().isSkipped(one.lsn())
                    && Delivery.mode(feed.route(), one.event()) != DeliveryMode.BEST_EFFORT;
            count += counts ? 1 : 0;
        }
        return count;
    }

    private void lose(Loss loss, long count) {
        host.record(new RecoveryFact.Gap(
                feed.id(), loss.behind() + 1, loss.upTo(), position().floorSeq() + count, loss.reason()));
        feed.rewind();
    }
}
