package dev.harmovela.transport.http;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Limits;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which answer belongs to which line of a request. Answers name the event they answer in {@code causation_id}; a
 * refusal by the gate may overtake one that waits for the disk, so their order alone does not tell. Answers without a
 * name belong, in order, to the lines whose id cannot be repeated.
 */
final class Report {

    /** The hub's direct answer to one event. */
    record Reply(Json.Obj event) {

        /** Whether the event was refused. */
        boolean refused() {
            String type = type();
            return type.endsWith(".rejected") || type.equals("session.error");
        }

        String type() {
            String type = event.string("type");
            return type == null ? "" : type;
        }

        ProtocolError error() {
            Json.Obj error = payload().object("error");
            if (error == null) {
                error = event.object("error");
            }
            return error == null
                    ? ProtocolError.of(ErrorCode.PROTOCOL_ERROR, "the event was refused")
                    : ProtocolError.parse(error);
        }

        Json.Obj payload() {
            Json.Obj payload = event.object("payload");
            return payload == null ? Json.Obj.of() : payload;
        }

        @Nullable String causationId() {
            return event.string("causation_id");
        }
    }

    /** One line: what it calls itself, whether it is JSON, and its answer. */
    static final class Line {
        private final @Nullable String id;
        private final boolean parsed;
        private @Nullable Reply reply;

        private Line(@Nullable String id, boolean parsed) {
            this.id = id;
            this.parsed = parsed;
        }

        @Nullable String id() {
            return id;
        }

        @Nullable Reply reply() {
            return reply;
        }

        boolean refused() {
            return reply != null && reply.refused();
        }
    }

    private final List<Line> lines = new ArrayList<>();

    Report(byte[] body, List<Lines.Span> spans, Limits limits, List<Json.Obj> answers) {
        for (Lines.Span span : spans) {
            lines.add(span.length() > limits.maxEventBytes() ? new Line(null, true) : read(body, span, limits));
        }
        assign(answers);
    }

    private static Line read(byte[] body, Lines.Span span, Limits limits) {
        try {
            Json value = Json.parse(body, span.offset(), span.length());
            return new Line(value instanceof Json.Obj event ? name(event, limits) : null, true);
        } catch (JsonException notJson) {
            return new Line(null, false);
        }
    }

    /** The id that an answer can repeat: the hub names no event by an id that is empty or too long. */
    private static @Nullable String name(Json.Obj event, Limits limits) {
        String id = event.string("id");
        boolean usable =
                id != null && !id.isEmpty() && id.getBytes(StandardCharsets.UTF_8).length <= limits.maxNameBytes();
        return usable ? id : null;
    }

    private void assign(List<Json.Obj> answers) {
        Map<String, Deque<Line>> named = new HashMap<>();
        Deque<Line> nameless = new ArrayDeque<>();
        for (Line line : lines) {
            if (line.id == null) {
                nameless.add(line);
            } else {
                named.computeIfAbsent(line.id, id -> new ArrayDeque<>()).add(line);
            }
        }
        for (Json.Obj answer : answers) {
            Reply reply = new Reply(answer);
            Deque<Line> sameName = reply.causationId() == null ? null : named.get(reply.causationId());
            Line line = sameName == null ? nameless.poll() : sameName.poll();
            if (line == null && sameName == null) {
                // A line that was refused must never look like one that was taken.
                line = lines.stream()
                        .filter(one -> one.reply == null)
                        .findFirst()
                        .orElse(null);
            }
            if (line != null) {
                line.reply = reply;
            }
        }
    }

    List<Line> lines() {
        return lines;
    }

    /** Whether not one line is JSON. */
    boolean nothingParses() {
        return lines.stream().noneMatch(line -> line.parsed);
    }

    List<ProtocolError> errors() {
        List<ProtocolError> errors = new ArrayList<>();
        for (Line line : lines) {
            if (line.reply != null && line.reply.refused()) {
                errors.add(line.reply.error());
            }
        }
        return errors;
    }

    /** {@code {accepted, rejected, errors[{event_index, error}], replies[]}} (§13, D39). */
    Json.Builder batch() {
        List<Json> errors = new ArrayList<>();
        List<Json> replies = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Reply reply = lines.get(i).reply;
            if (reply == null) {
                continue;
            }
            replies.add(reply.event());
            if (reply.refused()) {
                errors.add(Json.Obj.builder()
                        .put("event_index", i)
                        .put("error", reply.error().toJson())
                        .build());
            }
        }
        return Json.Obj.builder()
                .put("accepted", lines.size() - errors.size())
                .put("rejected", errors.size())
                .put("errors", new Json.Arr(errors))
                .put("replies", new Json.Arr(replies));
    }
}
