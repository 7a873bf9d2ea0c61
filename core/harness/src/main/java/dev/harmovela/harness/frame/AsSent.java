package dev.harmovela.harness.frame;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Out;
import java.util.List;

/**
 * The event at {@code lsn} was sent with other content than it is stored with: the hub has said in it whom it is for,
 * or which version an answer has. Who sends it again sends what it sent before, so that counts when duplicates are
 * looked for. No state depends on it.
 *
 * @param content {@link Event#contentHash()} of what was sent
 */
public record AsSent(long lsn, long content) implements Fact {

    static final int KIND = 3;

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public void write(Out out) {
        out.varint(lsn).i64(content);
    }

    /** The hash of what was sent as the event at that position of a frame with those facts. */
    public static long content(Event event, long lsn, List<? extends Fact> facts) {
        for (int i = 0; i < facts.size(); i++) {
            if (facts.get(i) instanceof AsSent sent && sent.lsn() == lsn) {
                return sent.content();
            }
        }
        return event.contentHash();
    }
}
