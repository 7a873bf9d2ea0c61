package dev.harmovela.transport.link;

import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sessions behind one link. On the hub's executor. */
final class Peers {

    /**
     * How long a peer may be silent before it counts as away: three intervals of 30 s, or of what it agreed on (D37).
     */
    private static final long INTERVAL_MILLIS = 30_000;

    private static final int MISSED = 3;
    private static final int MOST = 10_000;

    private final LinkContext link;
    private final String run;
    private final Map<String, PeerWire> all = new LinkedHashMap<>();
    private long resumes;

    /** @param run differs from start to start, so that no send of this run looks like one of another */
    Peers(LinkContext link, String run) {
        this.link = link;
        this.run = run;
    }

    @Nullable PeerWire named(@Nullable String sessionId) {
        return sessionId == null ? null : all.get(sessionId);
    }

    int count() {
        return all.size();
    }

    /** Whether the link speaks for that identity. */
    boolean maySpeak(String source) {
        return link.settings().speaksFor().stream().anyMatch(glob -> Globs.matches(glob, source));
    }

    /** A wire for a session that is about to be opened. */
    PeerWire begin(String sessionId, String source) {
        PeerWire peer = new PeerWire(link, sessionId, source, nextResume());
        peer.connected(link.host().hub().connect(peer, info(source)));
        add(peer);
        return peer;
    }

    /** A session of this link that was away is heard of again; null when there is none that its sender owns. */
    @Nullable PeerWire comeBack(String sessionId, String source) {
        if (!maySpeak(source)) {
            return null;
        }
        PeerWire peer = new PeerWire(link, sessionId, source, nextResume());
        Hub.Attachment attached = link.host().hub().attachSession(peer, info(source), sessionId, null, null);
        if (attached instanceof Hub.Attachment.Attached found) {
            peer.connected(found.connection());
            peer.opened(false);
            add(peer);
            found.connection().writable();
            return peer;
        }
        return null;
    }

    private String nextResume() {
        return run + "." + Long.toString(++resumes, 36);
    }

    private WireInfo info(String source) {
        return new WireInfo(
                link.settings().kind().wire(), link.host().caller(link.settings(), source), WireInfo.Kind.DUPLEX);
    }

    private void add(PeerWire peer) {
        all.put(peer.sessionId, peer);
        link.figures().peers(all.size());
        if (all.size() > MOST) {
            all.values().iterator().next().detach();
        }
    }

    void gone(LinkWire peer) {
        if (peer instanceof PeerWire && all.remove(peer.sessionId, peer)) {
            link.figures().peers(all.size());
        }
    }

    /** Lets those go whose session has ended or was never granted. */
    void sweep() {
        for (PeerWire peer : List.copyOf(all.values())) {
            Connection connection = peer.connection();
            if (connection == null || connection.sessionId() == null) {
                peer.detach();
            }
        }
    }

    /** Detaches those that fell silent; their sessions stay as long as the resume window. */
    void detachSilent(long now) {
        for (PeerWire peer : List.copyOf(all.values())) {
            Connection connection = peer.connection();
            long agreed = connection == null ? 0 : connection.heartbeatMillis();
            if (now - peer.heardAt() > MISSED * (agreed > 0 ? agreed : INTERVAL_MILLIS)) {
                peer.detach();
            }
        }
    }

    /** Nothing of theirs is due while the broker is away; when it is back they get their time again. */
    void stopClocks(long now) {
        for (PeerWire peer : List.copyOf(all.values())) {
            peer.heard(now);
            if (peer.isOpened()) {
                peer.stopClocks();
            }
        }
    }

    void roomAgain() {
        List.copyOf(all.values()).forEach(PeerWire::roomAgain);
    }

    void detachAll() {
        List.copyOf(all.values()).forEach(LinkWire::detach);
    }

    /** Globs of identities: {@code *} stands for any run of characters. */
    static final class Globs {

        private Globs() {}

        static boolean matches(String glob, String text) {
            String[] parts = glob.split("\\*", -1);
            if (parts.length == 1) {
                return glob.equals(text);
            }
            int at = parts[0].length();
            int end = text.length() - parts[parts.length - 1].length();
            if (!text.startsWith(parts[0]) || end < at || !text.endsWith(parts[parts.length - 1])) {
                return false;
            }
            for (int i = 1; i < parts.length - 1; i++) {
                int found = text.indexOf(parts[i], at);
                if (found < 0 || found + parts[i].length() > end) {
                    return false;
                }
                at = found + parts[i].length();
            }
            return true;
        }
    }
}
