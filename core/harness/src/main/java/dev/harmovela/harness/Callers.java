package dev.harmovela.harness;

import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what live wires may do in step with what their credentials grant by now: a credential that was revoked or has
 * expired ends its wires, one that grants less takes the subscriptions along that it no longer covers. One owner.
 */
final class Callers {

    private static final String REVOKED = "the credential is no longer valid";
    /** Why a subscription ends whose holder may no longer read it. */
    static final String UNCOVERED = "rights_withdrawn";

    private final HarmovelaHub hub;
    private final Policy policy;
    private final Quotas quotas = new Quotas();
    private final KnownRights known;
    private final Conformance conformance;
    private long sweepAt = Long.MAX_VALUE;

    Callers(HarmovelaHub hub, HarmovelaHub.Setup setup) {
        this.hub = hub;
        this.policy = new Policy(setup.config().registry());
        this.known = new KnownRights(policy);
        this.conformance = setup.conformance();
    }

    /** What identities may do that others act for. */
    KnownRights known() {
        return known;
    }

    /** What tenants may use. */
    Quotas quotas() {
        return quotas;
    }

    Policy policy() {
        return policy;
    }

    /** Whether a wire may open a conformance session (D24). */
    boolean mayTest(Conn conn) {
        return switch (conn.caller().trust()) {
            case VERIFIED -> conn.rights().holds(Actions.CONFORMANCE_RUN);
            case OPEN -> conformance == Conformance.GRANTED;
            case IMPLIED -> false;
        };
    }

    private List<Shard> shards() {
        List<Shard> all = new ArrayList<>(hub.spaces().all());
        all.add(hub.main());
        return all;
    }

    /** A wire was opened; one of a credential that expires is looked after. */
    void opened(Conn conn) {
        watch(conn.caller().credential().expiresAt());
    }

    private void watch(long expiresAt) {
        if (expiresAt < sweepAt) {
            sweepAt = expiresAt;
            hub.main().timers.at(expiresAt, this::sweep);
        }
    }

    private void sweep() {
        if (hub.now() < sweepAt) {
            return;
        }
        sweepAt = Long.MAX_VALUE;
        for (Shard shard : shards()) {
            for (Conn conn : List.copyOf(shard.conns())) {
                long expiresAt = conn.caller().credential().expiresAt();
                if (expiresAt <= hub.now()) {
                    conn.close(CloseReason.UNAUTHORIZED, REVOKED);
                } else {
                    watch(expiresAt);
                }
            }
        }
    }

    /** The shard with the timers was built again. */
    void restarted() {
        sweepAt = Long.MAX_VALUE;
    }

    /** What grants rights has changed. */
    void govern(Map<String, TenantPolicy> tenants, Function<Caller, @Nullable Caller> again) {
        quotas.use(tenants);
        known.rejudged(again);
        hub.main().deliveries.limitsChanged();
        for (Shard shard : shards()) {
            for (Conn conn : List.copyOf(shard.conns())) {
                if (conn.caller().trust() == Caller.Trust.VERIFIED) {
                    rejudge(shard, conn, again.apply(conn.caller()));
                }
            }
            shard.pulls.rejudged(again);
        }
    }

    private void rejudge(Shard shard, Conn conn, @Nullable Caller next) {
        Caller before = conn.caller();
        boolean same = next != null
                && next.tenant().equals(before.tenant())
                && Objects.equals(next.identity(), before.identity());
        if (next == null || !same) {
            conn.close(CloseReason.UNAUTHORIZED, REVOKED);
        } else if (!next.equals(before)) {
            conn.caller(next);
            watch(next.credential().expiresAt());
            for (SessionHandle handle : List.copyOf(conn.sessions.values())) {
                endUncovered(shard, handle, conn);
            }
            if (!shard.pulls.mayGoOn(conn)) {
                conn.close(CloseReason.UNAUTHORIZED, UNCOVERED);
            }
        }
    }

    /** Ends the subscriptions of a session that the credential behind one of its wires does not cover. */
    static void endUncovered(Shard shard, SessionHandle handle, Conn conn) {
        if (conn.caller().trust() == Caller.Trust.VERIFIED && shard.kind == Shard.Kind.NETWORK) {
            Rights rights = handle.rights(conn.rights());
            List.copyOf(handle.feeds).stream()
                    .map(feed -> feed.route().subscription())
                    .filter(subscription -> !Policy.covers(rights, subscription))
                    .forEach(subscription -> shard.subscriptions.withdraw(subscription, handle));
        }
    }
}
