package dev.harmovela.harness;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub.Attachment;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts further wires to what is there already: a session's stream, a post into a session, a stream of a
 * subscription.
 */
final class Attaching {

    private final HarmovelaHub hub;
    private final Shard shard;

    Attaching(HarmovelaHub hub, Shard shard) {
        this.hub = hub;
        this.shard = shard;
    }

    /** The wire takes the session's deliveries over. */
    Attachment attach(Peer peer, WireInfo info, String sessionId) {
        SessionHandle handle = shard.handles.get(sessionId);
        ProtocolError refused = notYours(handle, info, sessionId);
        if (handle == null || refused != null) {
            return new Attachment.Refused(refused == null ? shard.gate.neverOpened(sessionId) : refused);
        }
        Conn conn = adopted(peer, info);
        shard.sessions.replaceWires(handle, conn);
        return new Attachment.Attached(conn);
    }

    /** The wire speaks in the session and takes nothing from it. */
    Attachment join(Peer peer, WireInfo info, String sessionId) {
        SessionHandle handle = shard.handles.get(sessionId);
        ProtocolError refused = notYours(handle, info, sessionId);
        if (handle == null || refused != null) {
            return new Attachment.Refused(refused == null ? shard.gate.neverOpened(sessionId) : refused);
        }
        Conn conn = adopted(peer, info);
        conn.sessions.put(sessionId, handle);
        return new Attachment.Attached(conn);
    }

    /** The wire takes the deliveries of one subscription. */
    Attachment stream(Peer peer, WireInfo info, String subscriptionId) {
        Conn conn = adopted(peer, info);
        ProtocolError refused = shard.pulls.stream(conn, subscriptionId);
        if (refused != null) {
            shard.forget(conn);
            return new Attachment.Refused(refused);
        }
        return new Attachment.Attached(conn);
    }

    private Conn adopted(Peer peer, WireInfo info) {
        Conn conn = new Conn(hub, shard, peer, info);
        shard.adopt(conn);
        hub.callers().opened(conn);
        return conn;
    }

    /** A session of somebody else answers exactly as one that does not exist (SES-04). */
    private @Nullable ProtocolError notYours(@Nullable SessionHandle handle, WireInfo info, String sessionId) {
        Caller caller = info.caller();
        if (handle == null) {
            return shard.gate.unknownSession(caller, sessionId);
        }
        boolean own = shard.kind == Shard.Kind.IMPLIED
                ? caller.trust() != Caller.Trust.VERIFIED || opened(caller, handle.opener)
                : Policy.owns(caller, handle.session);
        own &= !info.namesSessions() || handle.session.transport().equals(info.transport());
        return own ? null : shard.gate.neverOpened(sessionId);
    }

    private static boolean opened(Caller caller, @Nullable Caller opener) {
        return opener != null
                && opener.tenant().equals(caller.tenant())
                && Objects.equals(opener.identity(), caller.identity());
    }
}
