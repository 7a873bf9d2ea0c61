package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.spi.Connection;
import dev.harmovela.spi.Hub;
import dev.harmovela.spi.WireInfo;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What every POST of events has in common: the body, the wire it takes, the answers that come back. */
final class Posting {

    private final Port port;

    Posting(Port port) {
        this.port = port;
    }

    /** The events of a body, or null after the exchange was answered. */
    @Nullable List<Lines.Span> events(Exchange exchange) {
        List<Lines.Span> spans = split(exchange);
        if (spans == null) {
            exchange.fail(
                    415,
                    ProtocolError.of(
                            ErrorCode.PROTOCOL_ERROR,
                            "send application/json (one event or an array) or application/x-ndjson"));
            return null;
        }
        if (spans.isEmpty()) {
            exchange.fail(Statuses.BAD_REQUEST, ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "the body holds no event"));
            return null;
        }
        return spans;
    }

    private static @Nullable List<Lines.Span> split(Exchange exchange) {
        String type = exchange.header("Content-Type");
        if (type == null) {
            return Lines.ofJson(exchange.body());
        }
        int semicolon = type.indexOf(';');
        String bare =
                (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        return switch (bare) {
            case "application/json" -> Lines.ofJson(exchange.body());
            case "application/x-ndjson", "application/ndjson", "application/jsonl" -> Lines.ofText(exchange.body());
            default -> null;
        };
    }

    /** Sends events on a wire of their own; {@code answered} runs unless the hub broke off, which is answered 503. */
    void send(Exchange exchange, List<Lines.Span> spans, String transport, BiConsumer<Submission, Report> answered) {
        Submission submission = submission(exchange, spans, answered);
        WireInfo info = new WireInfo(transport, exchange.caller(), WireInfo.Kind.REQUEST);
        submission.begin(port.hub().connect(submission, info));
    }

    /** The same on behalf of a session; one that is unknown, foreign or closed is answered 404 or 410. */
    void sendFor(String sessionId, Exchange exchange, List<Lines.Span> spans, BiConsumer<Submission, Report> answered) {
        Submission submission = submission(exchange, spans, answered);
        WireInfo info = new WireInfo("sse", exchange.caller(), WireInfo.Kind.REQUEST);
        switch (port.hub().joinSession(submission, info, sessionId)) {
            case Hub.Attachment.Attached(Connection connection) -> submission.begin(connection);
            case Hub.Attachment.Refused(ProtocolError error) -> exchange.fail(Statuses.ofAttachment(error), error);
        }
    }

    private Submission submission(Exchange exchange, List<Lines.Span> spans, BiConsumer<Submission, Report> answered) {
        Limits limits = port.hub().limits();
        int most = limits.maxEventBytes();
        Submission submission = new Submission(exchange.body(), spans, most, exchange.later(), finished -> {
            if (finished.cutShort()) {
                exchange.fail(
                        Statuses.UNAVAILABLE,
                        ProtocolError.of(ErrorCode.TRANSPORT_UNAVAILABLE, "the hub ended the wire; try again"));
                return;
            }
            answered.accept(finished, new Report(exchange.body(), spans, limits, finished.answers()));
        });
        exchange.whenLeft(submission::abandon);
        return submission;
    }
}
