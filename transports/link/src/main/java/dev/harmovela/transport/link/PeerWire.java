package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One peer on the broker: a session whose events come and go as messages (D37). */
final class PeerWire extends LinkWire {

    private boolean confirmed;
    private boolean opened;
    private long heardAt;

    PeerWire(LinkContext link, String sessionId, String source, String resumes) {
        super(link, sessionId, source, resumes);
    }

    void heard(long millis) {
        heardAt = millis;
    }

    long heardAt() {
        return heardAt;
    }

    /** Whether its session is there. */
    boolean isOpened() {
        return opened;
    }

    void opened(boolean ready) {
        opened = true;
        confirmed = ready;
    }

    /** The first event of an opened session says that it is ready (D37). */
    void confirmBefore(String type) {
        boolean ends = type.equals("session.closed") || type.equals("session.error");
        if (opened && !confirmed && !ends) {
            confirmed = true;
            if (!type.equals("session.ready")) {
                say("session.ready", Json.Obj.of());
            }
        }
    }

    @Override
    public void send(dev.harmovela.spi.Message message) {
        opened |= message.type.equals("session.opened");
        super.send(message);
    }

    @Override
    public Outbound address(Outbox.Item item, Json.Obj event) {
        LinkSettings settings = link.settings();
        String dedupe = Envelope.dedupe(event, item.resumes());
        Map<String, String> headers = new LinkedHashMap<>(
                Envelope.headers(event, link.host().identity().id(), dedupe));
        headers.put(Headers.TO, sessionId);
        headers.put(Headers.SESSION, sessionId);
        boolean bestEffort = "best_effort".equals(Envelope.mode(event));
        String reply = item.replyTo();
        String place = settings.routing() == Routing.SINGLE
                ? settings.names().out()
                : settings.names().to(sessionId);
        return new Outbound(reply == null ? place : reply, sessionId, item.body(), headers, dedupe, bestEffort);
    }

    @Override
    public void confirmed(List<Json.Obj> events) {
        // its own acknowledgement settles a delivery, not the broker's
    }

    @Override
    public void roomAgain() {
        dev.harmovela.spi.Connection open = connection();
        if (open != null) {
            open.writable();
        }
    }

    @Override
    void detach() {
        boolean first = !isClosed();
        super.detach();
        if (first) {
            link.gone(this);
        }
    }
}
