package dev.harmovela.dimension.event;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** What moves subscriptions (§4); kinds 120 to 139. */
public sealed interface SubscriptionFact extends Fact {

    /** Reason of a removal: its time was over. */
    String EXPIRED = "expired";

    /** Reason of a removal: nobody came back for it in time (D27). */
    String WINDOW_PASSED = "resume window passed";

    /** A subscription begins. */
    record Created(Subscription subscription) implements SubscriptionFact {
        @Override
        public int kind() {
            return 120;
        }

        @Override
        public void write(Out out) {
            subscription.write(out);
        }
    }

    /** A subscription ends: cancelled, expired or with its session. */
    record Removed(String subscriptionId, String reason) implements SubscriptionFact {
        @Override
        public int kind() {
            return 121;
        }

        @Override
        public void write(Out out) {
            out.string(subscriptionId);
            out.string(reason);
        }
    }

    /** A new session of the same identity takes the subscription over (D27). */
    record Adopted(String subscriptionId, String sessionId) implements SubscriptionFact {
        @Override
        public int kind() {
            return 122;
        }

        @Override
        public void write(Out out) {
            out.string(subscriptionId);
            out.string(sessionId);
        }
    }

    /** A session joins a group. */
    record Joined(String subscriptionId, String sessionId) implements SubscriptionFact {
        @Override
        public int kind() {
            return 123;
        }

        @Override
        public void write(Out out) {
            out.string(subscriptionId);
            out.string(sessionId);
        }
    }

    /** A session leaves a group; the group stays. */
    record Left(String subscriptionId, String sessionId) implements SubscriptionFact {
        @Override
        public int kind() {
            return 124;
        }

        @Override
        public void write(Out out) {
            out.string(subscriptionId);
            out.string(sessionId);
        }
    }

    /**
     * Reads a fact of this kind.
     *
     * @return the fact, or null when the kind is none of ours
     */
    static @Nullable SubscriptionFact read(int kind, int version, In in) {
        return switch (kind) {
            case 120 -> new Created(Subscription.read(in));
            case 121 -> new Removed(in.string(), in.string());
            case 122 -> new Adopted(in.string(), in.string());
            case 123 -> new Joined(in.string(), in.string());
            case 124 -> new Left(in.string(), in.string());
            default -> null;
        };
    }
}
