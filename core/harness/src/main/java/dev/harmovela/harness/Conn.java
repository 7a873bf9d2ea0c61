package dev.harmovela.harness;

import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Outlet;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Message;
import dev.harmovela.spi.Peer;
import dev.harmovela.spi.WireInfo;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One wire as the shard sees it: its sessions, its credit and its way out. */
final class Conn implements Connection {

    private static final int MAX_UNANSWERED = 1024;
    private static final long MAX_UNANSWERED_BYTES = 256 * 1024;
    private static final int MAX_QUEUED = 8192;

    final Peer peer;
    final WireInfo info;
    final Map<String, SessionHandle> sessions = new LinkedHashMap<>();
    private final Map<String, String> wished = new HashMap<>();
    private Caller caller;
    private Rights rights;
    private final HarmovelaHub hub;
    private Shard shard;
    private int unanswered;
    private long unansweredBytes;
    private int queued;
    private boolean closed;
    private boolean flushing;
    private boolean starved;
    private @Nullable Runnable wantsInput;

    Conn(HarmovelaHub hub, Shard shard, Peer peer, WireInfo info) {
        this.hub = hub;
        this.shard = shard;
        this.peer = peer;
        this.info = info;
        this.caller = info.caller();
        this.rights = hub.callers().policy().rights(caller);
    }

    /** Who is behind it by now. */
    Caller caller() {
        return caller;
    }

    /** What its credential grants by now. */
    Rights rights() {
        return rights;
    }

    /** Its credential grants something else by now. */
    void caller(Caller next) {
        caller = next;
        rights = hub.callers().policy().rights(next);
    }

    Shard shard() {
        return shard;
    }

    /** Moves a wire without sessions to another shard (a conformance space). */
    void moveTo(Shard next) {
        shard.forget(this);
        shard = next;
        next.adopt(this);
    }

    /** The session of that id, or for which its opener wished that id. */
    @Nullable SessionHandle session(String id) {
        SessionHandle named = sessions.get(id);
        String given = named == null ? wished.get(id) : null;
        return given == null ? named : sessions.get(given);
    }

    /** What the peer wanted to call a session; it may go on calling it so. */
    void wished(String id, String given) {
        wished.values().retainAll(sessions.keySet());
        wished.put(id, given);
    }

    boolean isClosed() {
        return closed;
    }

    // --- input

    @Override
    public void receive(byte[] buffer, int offset, int length) {
        if (closed) {
            return;
        }
        unanswered++;
        unansweredBytes += length;
        starved |= !wantsInput();
        hub.touch();
        EventReader.Read read = hub.read(buffer, offset, length);
        Shard place = hub.placeFor(this, read);
        place.guarded(read, () -> place.input(this, read, length), () -> place.refuseFailed(this, read, length));
    }

    @Override
    public void receiveTooLarge(long length, long limit) {
        if (!closed) {
            hub.touch();
            unanswered++;
            starved |= !wantsInput();
            shard.refuseUnread(this, ProtocolError.tooLarge(length, limit));
        }
    }

    @Override
    public void batchEnd() {
        hub.batchEnd();
    }

    @Override
    public boolean wantsInput() {
        return unanswered < MAX_UNANSWERED && unansweredBytes < MAX_UNANSWERED_BYTES;
    }

    @Override
    public void onWantsInput(Runnable callback) {
        wantsInput = callback;
    }

    /** One input has its answer. A wire that had to stop goes on when half of its credit is back. */
    void answered(int bytes) {
        unanswered--;
        unansweredBytes -= bytes;
        if (starved && unanswered < MAX_UNANSWERED / 2 && unansweredBytes < MAX_UNANSWERED_BYTES / 2) {
            starved = false;
            if (wantsInput != null) {
                hub.afterRelease(wantsInput);
            }
        }
    }

    @Override
    public void alive() {
        hub.touch();
        sessions.values().forEach(session -> session.lastSeen = hub.now());
    }

    @Override
    public void fence(Runnable reached) {
        shard.later(reached);
        hub.batchEnd();
    }

    @Override
    public long heartbeatMillis() {
        long least = 0;
        for (SessionHandle session : sessions.values()) {
            long own = session.session.heartbeatMillis();
            least = own > 0 && (least == 0 || own < least) ? own : least;
        }
        return least;
    }

    @Override
    public @Nullable String sessionId() {
        return sessions.size() == 1 ? sessions.keySet().iterator().next() : null;
    }

    @Override
    public void closed() {
        if (!closed) {
            closed = true;
            hub.touch();
            shard.wireClosed(this);
            hub.batchEnd();
        }
    }

    @Override
    public void inputEnded() {
        if (!closed) {
            hub.touch();
            shard.inputEnded(this);
            hub.batchEnd();
        }
    }

    // --- output

    @Override
    public void writable() {
        if (!closed) {
            hub.touch();
            pumpAll();
            hub.batchEnd();
        }
    }

    void pumpAll() {
        sessions.values().forEach(SessionHandle::pump);
        shard.sessions.pumpImplied(this);
        shard.pumpAttached(this);
    }

    boolean hasRoom() {
        return !closed && queued < MAX_QUEUED && peer.writable();
    }

    void reserve() {
        queued++;
    }

    /** Sends one message now; only from an output that has left the barrier. */
    void send(Message message) {
        if (!closed) {
            peer.send(message);
            if (!flushing) {
                flushing = true;
                hub.flushLater(this);
            }
        }
    }

    /** A reserved delivery has left. */
    void delivered() {
        queued--;
        if (queued == MAX_QUEUED / 2) {
            hub.afterRelease(this::pumpAll);
        }
    }

    void flush() {
        flushing = false;
        if (!closed) {
            peer.flush();
        }
    }

    void close(CloseReason reason, String text) {
        if (!closed) {
            flush();
            peer.close(reason, text);
        }
    }

    /** The shard behind this wire is gone; the client comes back and resumes. */
    void abandon(String why) {
        if (!closed) {
            closed = true;
            peer.close(CloseReason.INTERNAL, why);
        }
    }

    /** The way out for one session's deliveries. */
    static final class SessionOutlet implements Outlet {
        final Conn conn;
        private final String sessionId;

        SessionOutlet(Conn conn, String sessionId) {
            this.conn = conn;
            this.sessionId = sessionId;
        }

        @Override
        public boolean hasRoom() {
            return conn.hasRoom();
        }

        @Override
        public String holder() {
            return sessionId;
        }

        @Override
        public void reserved() {
            conn.reserve();
        }
    }
}
