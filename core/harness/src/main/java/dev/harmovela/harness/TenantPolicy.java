package dev.harmovela.harness;

import dev.harmovela.contract.TypePattern;
import java.util.List;

/**
 * What holds for one tenant as a whole (§7).
 *
 * @param limits bounds of what it uses
 * @param redactions members that only some of its consumers see
 */
public record TenantPolicy(Limits limits, List<Redaction> redactions) {

    /** A tenant without bounds of its own. */
    public static final TenantPolicy NONE = new TenantPolicy(Limits.NONE, List.of());

    public TenantPolicy {
        redactions = List.copyOf(redactions);
    }

    /**
     * Bounds of a tenant; {@link Long#MAX_VALUE} = none. Whoever reaches one is refused {@code rate_limited} with
     * {@code retry_after_ms}; deliveries wait instead.
     *
     * @param sessions live sessions
     * @param subscriptions subscriptions, inboxes included
     * @param inFlight deliveries handed out and not settled
     * @param inFlightBytes the same in bytes
     * @param publishPerSecond events taken per second, with a burst of one second
     */
    public record Limits(long sessions, long subscriptions, long inFlight, long inFlightBytes, long publishPerSecond) {

        public static final Limits NONE =
                new Limits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Members of a payload that a consumer sees only with a right.
     *
     * @param types events it is about
     * @param members names of top-level payload members
     * @param unless the action or scope whose holders see them
     */
    public record Redaction(List<TypePattern> types, List<String> members, String unless) {

        public Redaction {
            types = List.copyOf(types);
            members = List.copyOf(members);
        }
    }
}
