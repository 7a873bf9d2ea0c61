package dev.harmovela.harness;

import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.spi.Caller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What identities may do that others act for (SEC-08): by the credentials with which they were last attached in this
 * run, as those are now. Volatile, of bounded size; who is not known holds nothing. One owner.
 */
final class KnownRights {

    private static final int MOST_IDENTITIES = 10_000;
    private static final int MOST_CREDENTIALS = 8;

    /** A credential, and what the session that came with it declared; null when it declared nothing. */
    private record Held(Caller caller, @Nullable List<String> declared) {}

    private static final class Latest<V> extends LinkedHashMap<String, V> {

        private static final long serialVersionUID = 1;
        private final int most;

        Latest(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > most;
        }
    }

    private final Policy policy;
    private final Latest<Latest<Held>> identities = new Latest<>(MOST_IDENTITIES);

    KnownRights(Policy policy) {
        this.policy = policy;
    }

    /** A session was taken by somebody. */
    void attached(Caller caller, Session session) {
        List<String> declared = SessionHandle.declared(session);
        identities
                .computeIfAbsent(session.tenant() + '\n' + session.identity(), _ -> new Latest<>(MOST_CREDENTIALS))
                .put(caller.credential().name(), new Held(caller, declared));
    }

    /** Credentials grant something else by now, or nothing. */
    void rejudged(Function<Caller, @Nullable Caller> again) {
        for (Latest<Held> credentials : identities.values()) {
            Map<String, Held> before = new LinkedHashMap<>(credentials);
            credentials.clear();
            before.forEach((name, held) -> {
                Caller known = held.caller();
                Caller next = known.trust() == Caller.Trust.VERIFIED ? again.apply(known) : known;
                if (next != null) {
                    credentials.put(name, new Held(next, held.declared()));
                }
            });
        }
    }

    /** Whether one of its credentials grants an identity that right. */
    boolean holds(String tenant, String identity, String right, long now) {
        Latest<Held> credentials = identities.get(tenant + '\n' + identity);
        if (credentials == null) {
            return false;
        }
        for (Held held : credentials.values()) {
            if (held.caller().credential().expiresAt() > now && rights(held).has(right)) {
                return true;
            }
        }
        return false;
    }

    private Rights rights(Held held) {
        Rights granted = policy.rights(held.caller());
        return held.declared() == null ? granted : granted.narrowedTo(held.declared());
    }
}
