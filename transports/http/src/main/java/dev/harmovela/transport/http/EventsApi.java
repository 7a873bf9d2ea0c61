package dev.harmovela.transport.http;

import dev.harmovela.contract.json.Json;
import java.util.List;

/** Publishing without a session (D7, D34): each request is a wire of its own under the caller's rights. */
final class EventsApi {

    private final Posting posting;

    EventsApi(Port port) {
        this.posting = new Posting(port);
    }

    /** {@code POST events}: one event is answered by itself, several are answered together. */
    void post(Exchange exchange) {
        List<Lines.Span> spans = posting.events(exchange);
        if (spans == null) {
            return;
        }
        posting.send(exchange, spans, "http", (submission, report) -> {
            if (spans.size() == 1) {
                one(exchange, submission, report.lines().getFirst());
            } else if (report.nothingParses()) {
                exchange.fail(Statuses.BAD_REQUEST, report.errors());
            } else {
                exchange.json(
                        202,
                        report.batch().put("session_id", submission.sessionId()).build());
            }
        });
    }

    private static void one(Exchange exchange, Submission submission, Report.Line line) {
        Report.Reply reply = line.reply();
        if (reply != null && reply.refused()) {
            exchange.fail(Statuses.ofEvent(reply.error()), reply.error());
            return;
        }
        Json.Builder answer = Json.Obj.builder().put("accepted", true).put("id", line.id());
        if (reply != null) {
            Json.Obj payload = reply.payload();
            if (Boolean.TRUE.equals(payload.bool("duplicate"))) {
                answer.put("duplicate", true);
            }
            answer.put("cursor", payload.string("cursor")).put("task_id", payload.string("task_id"));
            if (!reply.type().equals("event.acknowledged")) {
                answer.put("session_id", submission.sessionId()).put("replies", new Json.Arr(List.of(reply.event())));
            }
        }
        exchange.json(202, answer.build());
    }
}
