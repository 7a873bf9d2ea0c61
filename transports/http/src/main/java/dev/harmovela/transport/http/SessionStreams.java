package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import java.util.List;

/** The server-sent event binding of sessions (§13, D27, D39): events in by POST, events out by a stream. */
final class SessionStreams {

    private final Port port;
    private final Posting posting;

    SessionStreams(Port port) {
        this.port = port;
        this.posting = new Posting(port);
    }

    /** {@code GET events?session_id=}: the stream of a session, after {@code Last-Event-ID} or {@code from_cursor}. */
    void attach(Exchange exchange) {
        String sessionId = exchange.query("session_id");
        if (sessionId == null || sessionId.isEmpty()) {
            exchange.fail(
                    Statuses.BAD_REQUEST,
                    ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "session_id says which session is listened to"));
            return;
        }
        if (port.draining()) {
            exchange.fail(Statuses.UNAVAILABLE, HttpServer.drainingError());
            return;
        }
        String lastEventId = exchange.header("Last-Event-ID");
        SseWire wire = new SseWire(exchange, port.config());
        WireInfo info = new WireInfo("sse", exchange.caller(), WireInfo.Kind.DUPLEX);
        begin(
                exchange,
                wire,
                port.hub()
                        .attachSession(
                                wire,
                                info,
                                sessionId,
                                lastEventId == null || lastEventId.isEmpty() ? null : lastEventId,
                                exchange.query("from_cursor")));
    }

    /** Starts the stream, or tells by the status why there is none. */
    static void begin(Exchange exchange, SseWire wire, Hub.Attachment attachment) {
        switch (attachment) {
            case Hub.Attachment.Attached(Connection connection) -> wire.begin(connection);
            case Hub.Attachment.Refused(ProtocolError error) -> {
                wire.refused();
                exchange.fail(Statuses.ofAttachment(error), error);
            }
        }
    }

    /**
     * {@code POST events}: for a session when one is named, else for whoever asks; the first event may open a
     * session.
     */
    void post(Exchange exchange) {
        List<Lines.Span> spans = posting.events(exchange);
        if (spans == null) {
            return;
        }
        String sessionId = exchange.query("session_id");
        if (sessionId == null || sessionId.isEmpty()) {
            posting.send(exchange, spans, "sse", (submission, report) -> answer(exchange, submission, report));
        } else {
            posting.sendFor(sessionId, exchange, spans, (submission, report) -> answer(exchange, submission, report));
        }
    }

    private static void answer(Exchange exchange, Submission submission, Report report) {
        if (report.nothingParses()) {
            exchange.fail(Statuses.BAD_REQUEST, report.errors());
            return;
        }
        Report.Line first = report.lines().getFirst();
        Report.Reply reply = first.reply();
        if (report.lines().size() == 1
                && reply != null
                && reply.refused()
                && reply.error().code() == ErrorCode.PAYLOAD_TOO_LARGE) {
            exchange.fail(413, reply.error());
            return;
        }
        exchange.json(
                202, report.batch().put("session_id", submission.sessionId()).build());
    }
}
