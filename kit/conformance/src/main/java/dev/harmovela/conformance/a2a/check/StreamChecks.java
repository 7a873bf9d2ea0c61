package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Streams. */
final class StreamChecks {

    private static final String ROW = "binding.streaming-message";

    static final List<Check> TABLE = List.of(
            check("stream.gated", "not offered: both operations are refused", StreamChecks::gated),
            check("stream.to-terminal", "the stream ends after a terminal state", StreamChecks::toTerminal),
            check("stream.task-first", "the first event is the task", StreamChecks::taskFirst),
            check("stream.events", "events are StreamResponses about one task", StreamChecks::events),
            check("stream.order", "artifacts come before the end, nothing after it", StreamChecks::order),
            check("stream.chunks", "chunks make one artifact in the task", StreamChecks::chunks),
            check("stream.direct-message", "a direct answer is one message, then the end", StreamChecks::direct),
            check("stream.subscribe", "subscribing shows the task, then what follows", StreamChecks::subscribe),
            check("stream.resubscribe", "closing a stream and coming back loses nothing", StreamChecks::again),
            check("stream.two-readers", "two readers get the same events", StreamChecks::twoReaders),
            check("stream.terminal", "subscribing to an ended task is refused", StreamChecks::terminal),
            check("stream.plain-refusal", "a refusal is a plain answer, no stream", StreamChecks::plainRefusal));

    private StreamChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static void gated(Probe probe) throws WireException, Verdict {
        if (probe.run.card.offers("streaming")) {
            throw probe.notApplicable("the card offers streaming");
        }
        try (Feed feed = probe.caller().stream(Operation.STREAM, probe.sending("tck-stream", "stream"));
                Feed other = probe.caller().stream(Operation.SUBSCRIBE, Probe.id(probe.run.fresh("no-such-task")))) {
            for (Feed each : List.of(feed, other)) {
                Reply refused = probe.present(each.refused(), "a stream was opened");
                probe.refused(refused, A2aError.UNSUPPORTED_OPERATION, "streaming is not offered");
            }
        }
    }

    /** A stream of a message, opened. */
    private static Feed opened(Probe probe, Operation operation, Json.Obj params) throws WireException, Verdict {
        Feed feed = probe.caller().stream(operation, params);
        Reply refused = feed.refused();
        if (refused != null) {
            throw probe.fail(operation.method + ": a stream expected, got " + refused.brief());
        }
        return feed;
    }

    private static List<Json.Obj> streamed(Probe probe, String prefix) throws WireException, Verdict {
        probe.needs("streaming");
        try (Feed feed = opened(probe, Operation.STREAM, probe.sending(prefix, "stream"))) {
            List<Json.Obj> all = feed.rest(probe.run.patience);
            probe.require(!all.isEmpty(), "no event came");
            if (all.getFirst().has("message")) {
                throw probe.notApplicable("the agent answers with a message, not with a task");
            }
            probe.require(feed.ended(), "the stream was not closed within " + probe.run.patience.toMillis() + " ms");
            return all;
        }
    }

    private static void toTerminal(Probe probe) throws WireException, Verdict {
        List<Json.Obj> all = streamed(probe, "tck-stream");
        String last = Feed.state(all.getLast());
        probe.require(last != null && Probe.TERMINAL.contains(last), "the stream ends with " + shown(all.getLast()));
    }

    private static void taskFirst(Probe probe) throws WireException, Verdict {
        List<Json.Obj> all = streamed(probe, "tck-stream");
        probe.require(all.getFirst().has("task"), "the first event is " + shown(all.getFirst()));
    }

    private static void events(Probe probe) throws WireException, Verdict {
        List<Json.Obj> all = streamed(probe, "tck-stream");
        String id = null;
        for (Json.Obj each : all) {
            probe.shaped("StreamResponse", each);
            String about = Feed.taskId(each);
            probe.require(id == null || id.equals(about), "events of two tasks in one stream");
            id = about;
        }
    }

    private static void order(Probe probe) throws WireException, Verdict {
        List<Json.Obj> all = streamed(probe, "tck-stream");
        boolean ended = false;
        for (Json.Obj each : all) {
            String state = Feed.state(each);
            boolean terminal = state != null && Probe.TERMINAL.contains(state);
            probe.require(!ended || (terminal && each.has("task")), "after the end came " + shown(each));
            ended |= terminal;
        }
    }

    private static void chunks(Probe probe) throws WireException, Verdict {
        List<Json.Obj> all = streamed(probe, "tck-stream-artifact-chunked");
        List<Json.Obj> updates = all.stream()
                .map(event -> event.object("artifactUpdate"))
                .filter(Objects::nonNull)
                .toList();
        boolean appended = updates.stream().anyMatch(one -> Boolean.TRUE.equals(one.bool("append")));
        if (!appended) {
            throw probe.notApplicable("the endpoint does not react to tck-stream-artifact-chunked");
        }
        probe.require(
                Boolean.TRUE.equals(updates.getLast().bool("lastChunk")), "lastChunk of the last chunk is not true");
        String sent = text(updates.stream().map(one -> one.object("artifact")).toList());
        Json.Obj task = probe.get(probe.caller(), String.valueOf(Feed.taskId(all.getFirst())));
        List<Json> artifacts = Probe.list(task, "artifacts");
        probe.require(artifacts.size() == 1, "one artifact expected in the task, got " + artifacts.size());
        String stored = text(artifacts.stream().map(one -> (Json.Obj) one).toList());
        probe.require(stored.equals(sent), "the task holds \"" + stored + "\" and the stream said \"" + sent + "\"");
    }

    private static String text(List<Json.Obj> artifacts) {
        StringBuilder text = new StringBuilder();
        for (Json.Obj each : artifacts) {
            Probe.list(each, "parts")
                    .forEach(part -> text.append(part instanceof Json.Obj one ? one.string("text") : ""));
        }
        return text.toString();
    }

    private static void direct(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        try (Feed feed = opened(probe, Operation.STREAM, probe.sending("tck-message-response", "answer me"))) {
            List<Json.Obj> all = feed.rest(probe.run.patience);
            if (!all.isEmpty() && !all.getFirst().has("message")) {
                throw probe.notApplicable("the endpoint does not react to tck-message-response");
            }
            probe.require(
                    all.size() == 1 && feed.ended(),
                    "one message, then the end expected; got " + all.size() + " events");
            probe.shaped("StreamResponse", all.getFirst());
        }
    }

    private static void subscribe(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        Json.Obj task = probe.waiting(probe.caller());
        try (Feed feed = opened(probe, Operation.SUBSCRIBE, Probe.id(Probe.idOf(task)))) {
            Json.Obj first = probe.present(feed.next(probe.run.patience), "no event came");
            probe.require(first.has("task"), "the first event is " + shown(first));
            probe.require(Probe.INPUT_REQUIRED.equals(Feed.state(first)), "the first event is not the task as it is");
            probe.caller().call(Operation.SEND, probe.completing(task));
            completed(probe, feed);
        }
    }

    /** The rest of the stream tells the end and closes. */
    private static List<Json.Obj> completed(Probe probe, Feed feed) throws Verdict {
        List<Json.Obj> rest = feed.rest(probe.run.patience);
        boolean told = rest.stream().anyMatch(event -> Probe.COMPLETED.equals(Feed.state(event)));
        probe.require(told, "the end of the task was not told; " + rest.size() + " events came");
        probe.require(feed.ended(), "the stream was not closed after the end");
        return rest;
    }

    private static void again(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        Json.Obj task = probe.waiting(probe.caller());
        String id = Probe.idOf(task);
        try (Feed feed = opened(probe, Operation.SUBSCRIBE, Probe.id(id))) {
            probe.require(feed.next(probe.run.patience) != null, "no event came");
        }
        try (Feed feed = opened(probe, Operation.SUBSCRIBE, Probe.id(id))) {
            Json.Obj first = feed.next(probe.run.patience);
            probe.require(first != null && id.equals(Feed.taskId(first)), "coming back shows another task or none");
            probe.caller().call(Operation.SEND, probe.completing(task));
            completed(probe, feed);
        }
        probe.await(probe.caller(), id, Set.of(Probe.COMPLETED));
    }

    private static void twoReaders(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        Json.Obj task = probe.waiting(probe.caller());
        Json.Obj id = Probe.id(Probe.idOf(task));
        try (Feed one = opened(probe, Operation.SUBSCRIBE, id);
                Feed two = opened(probe, Operation.SUBSCRIBE, id)) {
            for (Feed each : List.of(one, two)) {
                probe.require(each.next(probe.run.patience) != null, "a reader got no first event");
            }
            try (Feed gone = opened(probe, Operation.SUBSCRIBE, id)) {
                probe.require(gone.next(probe.run.patience) != null, "a third reader got no first event");
            }
            probe.caller().call(Operation.SEND, probe.completing(task));
            List<Json.Obj> seen = new ArrayList<>(completed(probe, one));
            probe.require(seen.equals(completed(probe, two)), "two readers of one task got different events");
        }
    }

    private static void terminal(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        Json.Obj task = probe.completed(probe.caller());
        try (Feed feed = probe.caller().stream(Operation.SUBSCRIBE, Probe.id(Probe.idOf(task)))) {
            Reply refused = probe.present(feed.refused(), "an ended task was streamed");
            probe.refused(refused, A2aError.UNSUPPORTED_OPERATION, "an ended task");
        }
    }

    private static void plainRefusal(Probe probe) throws WireException, Verdict {
        probe.needs("streaming");
        try (Feed feed = probe.caller().stream(Operation.SUBSCRIBE, Probe.id(probe.run.fresh("no-such-task")))) {
            Reply refused = probe.present(feed.refused(), "an unknown task was answered by a stream");
            probe.refused(refused, A2aError.TASK_NOT_FOUND, "an unknown task");
        }
    }

    private static String shown(Json.Obj event) {
        String state = Feed.state(event);
        return String.join(", ", event.names()) + (state == null ? "" : " " + state);
    }
}
