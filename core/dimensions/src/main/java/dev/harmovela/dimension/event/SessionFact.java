package dev.harmovela.dimension.event;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** What moves sessions (§3); kinds 100 to 119. */
public sealed interface SessionFact extends Fact {

    /** A session was opened. */
    record Opened(Session session) implements SessionFact {
        @Override
        public int kind() {
            return 100;
        }

        @Override
        public void write(Out out) {
            session.write(out);
        }
    }

    /** Both sides agreed. */
    record Ready(String sessionId) implements SessionFact {
        @Override
        public int kind() {
            return 101;
        }

        @Override
        public void write(Out out) {
            out.string(sessionId);
        }
    }

    /** A session ended; its id stays known as ended. */
    record Ended(String sessionId, SessionState state, long at, String reason) implements SessionFact {
        @Override
        public int kind() {
            return 102;
        }

        @Override
        public void write(Out out) {
            out.string(sessionId);
            out.varint(state.ordinal());
            out.varint(at);
            out.string(reason);
        }
    }

    /**
     * Reads a fact of this kind.
     *
     * @return the fact, or null when the kind is none of ours
     */
    static @Nullable SessionFact read(int kind, int version, In in) {
        return switch (kind) {
            case 100 -> new Opened(Session.read(in));
            case 101 -> new Ready(in.string());
            case 102 -> new Ended(in.string(), SessionState.values()[(int) in.varint()], in.varint(), in.string());
            default -> null;
        };
    }
}
