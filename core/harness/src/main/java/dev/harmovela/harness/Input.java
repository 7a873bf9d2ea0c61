package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.frame.Frame;
import org.jspecify.annotations.Nullable;

/**
 * One readable event from a wire together with who is behind it.
 *
 * @param session the session it came in on, null for an authenticated request or an implied session
 * @param tenant whose data it touches
 * @param actor identity that acts: the session's, or the event's source where that is believed
 * @param bytes size on the wire, for the wire's credit
 */
record Input(Conn conn, Event event, @Nullable SessionHandle session, String tenant, String actor, int bytes) {

    Frame.Header header(long now, String authority) {
        return new Frame.Header(
                now,
                tenant,
                actor,
                conn.info.transport(),
                authority,
                event.id(),
                conn.info.caller().credential().name());
    }

    Input with(Event other) {
        return new Input(conn, other, session, tenant, actor, bytes);
    }

    /** What its sender may do: what the credential grants and the session declared. */
    Rights rights() {
        Rights granted = conn.rights();
        return session == null ? granted : session.rights(granted);
    }

    /**
     * The same in another tenant. The actor keeps the name of its own one, so that it is nobody there, and its session
     * stays behind.
     */
    Input into(String otherTenant) {
        return new Input(conn, event, null, otherTenant, tenant + '/' + actor, bytes);
    }

    @Nullable String sessionId() {
        return session == null ? null : session.session.id();
    }
}
