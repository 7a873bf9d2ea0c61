package dev.harmovela.dimension.event;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.dimension.event.SessionLifecycle.Step;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All live sessions and the ids of recently ended ones, so that a late event is told that its session is over
 * rather than unknown (SES-08). One owner, not thread-safe.
 */
public final class Sessions {

    private final LinkedHashMap<String, Session> live = new LinkedHashMap<>();
    private final LinkedHashMap<String, Session> ended;
    private final Map<String, Integer> perIdentity = new HashMap<>();
    private final Map<String, Integer> perTenant = new HashMap<>();

    /** @param keepEnded how many ended sessions stay known */
    public Sessions(int keepEnded) {
        ended = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
                return size() > keepEnded;
            }
        };
    }

    public @Nullable Session live(String id) {
        return live.get(id);
    }

    public @Nullable Session ended(String id) {
        return ended.get(id);
    }

    /** Live sessions in the order of their opening; a read-only view. */
    public Collection<Session> all() {
        return Collections.unmodifiableCollection(live.values());
    }

    public int count() {
        return live.size();
    }

    /** Live sessions of one tenant. */
    public int countOf(String tenant) {
        return perTenant.getOrDefault(tenant, 0);
    }

    /** Live sessions of one identity. */
    public int countOf(String tenant, String identity) {
        return perIdentity.getOrDefault(key(tenant, identity), 0);
    }

    /** The only place where sessions move. */
    public void apply(SessionFact fact) {
        switch (fact) {
            case SessionFact.Opened opened -> {
                Session session = opened.session();
                live.put(session.id(), session);
                perIdentity.merge(key(session.tenant(), session.identity()), 1, Integer::sum);
                perTenant.merge(session.tenant(), 1, Integer::sum);
            }
            case SessionFact.Ready ready -> live.computeIfPresent(ready.sessionId(), (_, session) -> session.ready());
            case SessionFact.Ended end -> {
                Session session = live.remove(end.sessionId());
                if (session != null) {
                    Step step = end.state() == SessionState.ERROR ? Step.FAILED : Step.CLOSED;
                    SessionState state = SessionLifecycle.after(session.state(), step);
                    ended.put(session.id(), session.ended(state, end.at(), end.reason()));
                    perIdentity.computeIfPresent(
                            key(session.tenant(), session.identity()), (_, n) -> n == 1 ? null : n - 1);
                    perTenant.computeIfPresent(session.tenant(), (_, n) -> n == 1 ? null : n - 1);
                }
            }
        }
    }

    /** Writes the section of a snapshot; equal states write equal bytes. */
    public void snapshot(Out out) {
        writeAll(out, live.values());
        writeAll(out, ended.values());
    }

    public void restore(In in) {
        live.clear();
        ended.clear();
        perIdentity.clear();
        perTenant.clear();
        for (long n = in.varint(); n > 0; n--) {
            apply(new SessionFact.Opened(Session.read(in)));
        }
        for (long n = in.varint(); n > 0; n--) {
            Session session = Session.read(in);
            ended.put(session.id(), session);
        }
    }

    private static void writeAll(Out out, Collection<Session> sessions) {
        out.varint(sessions.size());
        sessions.forEach(session -> session.write(out));
    }

    private static String key(String tenant, String identity) {
        return tenant + '\n' + identity;
    }
}
