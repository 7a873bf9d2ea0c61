package dev.harmovela.dimension.governance;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** What the audit has to know beside the changes of state (§7); kinds 500 to 599. It moves no state. */
public sealed interface GovernanceFact extends Fact {

    /**
     * Somebody was refused something. Texts are empty where nothing is known.
     *
     * @param at epoch milliseconds of the refusal; the frame may be younger
     * @param origin who asked
     * @param error code of the refusal
     * @param reason why, more exactly than the code
     * @param what was asked for
     * @param count 1, or how many refusals alike this one stands for
     */
    record Denied(long at, Origin origin, String error, String reason, Asked what, long count)
            implements GovernanceFact {

        public static final int KIND = 500;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.varint(at);
            origin.write(out);
            out.string(error).string(reason);
            what.write(out);
            out.varint(count);
        }

        private static Denied read(In in) {
            return new Denied(in.varint(), Origin.read(in), in.string(), in.string(), Asked.read(in), in.varint());
        }
    }

    /**
     * A command, a query or an answer went through that was sent with best effort.
     *
     * @param at epoch milliseconds; the frame may be younger
     */
    record Passed(long at, Origin origin, Asked what) implements GovernanceFact {

        public static final int KIND = 501;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.varint(at);
            origin.write(out);
            what.write(out);
        }

        private static Passed read(In in) {
            return new Passed(in.varint(), Origin.read(in), Asked.read(in));
        }
    }

    /**
     * Who asked.
     *
     * @param tenant the credential's
     * @param principal identity as far as it is believed; empty for anybody whose credential is none
     * @param credential name of what proved it
     * @param claimed identity that the message named
     */
    record Origin(String tenant, String principal, String transport, String credential, String claimed) {

        private void write(Out out) {
            out.string(tenant).string(principal).string(transport);
            out.string(credential).string(claimed);
        }

        private static Origin read(In in) {
            return new Origin(in.string(), in.string(), in.string(), in.string(), in.string());
        }
    }

    /**
     * What was asked for.
     *
     * @param action what was to be done: {@code publish}, {@code subscribe}, {@code login} …
     * @param type event type
     * @param target identity or thing it was aimed at
     * @param tenant tenant that the message named, when it is another one
     */
    record Asked(
            String action,
            String type,
            String eventId,
            String target,
            String tenant,
            String correlationId,
            String causationId,
            String taskId) {

        private void write(Out out) {
            out.string(action).string(type).string(eventId).string(target);
            out.string(tenant).string(correlationId).string(causationId).string(taskId);
        }

        private static Asked read(In in) {
            return new Asked(
                    in.string(),
                    in.string(),
                    in.string(),
                    in.string(),
                    in.string(),
                    in.string(),
                    in.string(),
                    in.string());
        }
    }

    /**
     * Reads a fact of this kind.
     *
     * @return the fact, or null when the kind is none of ours
     */
    static @Nullable GovernanceFact read(int kind, int version, In in) {
        return switch (kind) {
            case Denied.KIND -> Denied.read(in);
            case Passed.KIND -> Passed.read(in);
            default -> null;
        };
    }
}
