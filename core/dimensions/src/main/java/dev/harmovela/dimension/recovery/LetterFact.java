package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** What moves dead letters (§6); kinds 240 to 249. */
public sealed interface LetterFact extends Fact {

    /** A delivery was given up. */
    record Added(Letter letter) implements LetterFact {
        @Override
        public int kind() {
            return 240;
        }

        @Override
        public void write(Out out) {
            letter.write(out);
        }
    }

    /** A letter is gone: put back, thrown away, or the oldest of too many. */
    record Removed(String letterId, String reason) implements LetterFact {
        @Override
        public int kind() {
            return 241;
        }

        @Override
        public void write(Out out) {
            out.string(letterId).string(reason);
        }
    }

    /** The event of a letter was stored again, so that its old place in the log can go. */
    record Carried(String letterId, long lsn) implements LetterFact {
        @Override
        public int kind() {
            return 242;
        }

        @Override
        public void write(Out out) {
            out.string(letterId).varint(lsn);
        }
    }

    /**
     * Reads a fact of this kind.
     *
     * @return the fact, or null when the kind is none of ours
     */
    static @Nullable LetterFact read(int kind, int version, In in) {
        return switch (kind) {
            case 240 -> new Added(Letter.read(in));
            case 241 -> new Removed(in.string(), in.string());
            case 242 -> new Carried(in.string(), in.varint());
            default -> null;
        };
    }
}
