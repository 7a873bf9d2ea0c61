package dev.harmovela.harness;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.dimension.task.Tasks;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers from the log itself: the events with an id, of a task, of a correlation, in order.
 *
 * <p>A row says what the record was: an event that was {@code published}, one that was {@code dead_lettered}, with
 * the attempts before that, or one that was {@code replayed} out of a dead letter (OBS-04).
 */
final class History {

    private static final Map<String, String> KINDS = Map.of(
            "id", "id",
            "event_id", "id",
            "task", "task",
            "task_id", "task",
            "correlation", "correlation",
            "correlation_id", "correlation");

    private final Shard shard;

    History(Shard shard) {
        this.shard = shard;
    }

    /**
     * Filter members: exactly one of {@code event_id}, {@code task_id}, {@code correlation_id}, or their short
     * names.
     */
    void ask(Caller caller, Rights rights, Ask ask, Consumer<Answer> done) {
        Map<String, String> given = new LinkedHashMap<>();
        KINDS.forEach((name, kind) -> {
            String value = ask.filter().string(name);
            if (value != null) {
                given.put(kind, value);
            }
        });
        if (given.size() != 1) {
            done.accept(new Answer.Failed(ProtocolError.because(
                    ErrorCode.INVALID_PAYLOAD, "missing_filter", "name one of event_id, task_id, correlation_id")));
            return;
        }
        Map.Entry<String, String> only = given.entrySet().iterator().next();
        Tasks.Body body =
                only.getKey().equals("task") ? shard.state.tasks.body(caller.tenant(), only.getValue()) : null;
        long submission = body == null ? 0 : body.lsn();
        Reader reader = new Reader(caller, rights, shard.hub.callers().quotas().of(caller.tenant()));
        shard.hub.reading().execute(() -> {
            Answer answer = read(reader, ask, new Wanted(only.getKey(), only.getValue(), submission));
            shard.hub.onOwner(shard, () -> done.accept(answer));
        });
    }

    /** Who reads, as it was when the question came. */
    private record Reader(Caller caller, Rights rights, TenantPolicy policy) {}

    /**
     * What is looked for.
     *
     * @param submission where the event that submitted a live task lies now, 0 for anything else: it comes first, even
     *     when it was stored again later
     */
    private record Wanted(String what, String value, long submission) {

        boolean isFor(Event event) {
            return value.equals(valueOf(event, what));
        }
    }

    private Answer read(Reader reader, Ask ask, Wanted wanted) {
        Predicate<Event> shown = event -> wanted.isFor(event) && Sight.ofEvent(reader.caller(), reader.rights(), event);
        try {
            boolean begins = ask.cursor() == null;
            long from = begins ? 0 : Long.parseLong(ask.cursor(), 36) + 1;
            List<Json> items = new ArrayList<>();
            if (begins && wanted.submission() > 0) {
                collect(reader, wanted.submission(), shown, items);
            }
            long[] found = shard.journal.find(FrameCodec.key(wanted.what(), wanted.value()), from, ask.limit() + 1);
            String next = null;
            int read = 0;
            for (; read < found.length && items.size() < ask.limit(); read++) {
                if (found[read] != wanted.submission()) {
                    collect(reader, found[read], shown, items);
                }
                next = Long.toString(found[read], 36);
            }
            boolean more = read < found.length;
            return new Answer.Found(Json.Obj.builder()
                    .put("items", new Json.Arr(items))
                    .put("next_cursor", more && next != null ? Json.of(next) : Json.Null.NULL)
                    .build());
        } catch (NumberFormatException _) {
            return new Answer.Failed(ProtocolError.because(
                    ErrorCode.INVALID_PAYLOAD, "cursor_out_of_range", "this page cursor is not one of ours"));
        } catch (IOException e) {
            shard.hub.readFailed(e);
            return new Answer.Failed(ProtocolError.internal());
        }
    }

    private void collect(Reader reader, long lsn, Predicate<Event> shown, List<Json> items) throws IOException {
        FrameCodec codec = new FrameCodec(shard.config.registry());
        shard.journal.read(lsn, (first, count, body) -> {
            Frame frame = codec.read(first, body);
            if (frame.header().tenant().equals(reader.caller().tenant())) {
                for (int i = 0; i < frame.events().size(); i++) {
                    Event event = frame.events().get(i);
                    if (shown.test(event) && !isElsewhere(event)) {
                        items.add(row(reader, frame, first + i, event));
                    }
                }
            }
            return false;
        });
    }

    /** Whether an event was carried here although the log still holds it in its old place. */
    private boolean isElsewhere(Event event) {
        DeliveryAsk.Again again = event.delivery().again();
        if (again == null || !isCarried(again)) {
            return false;
        }
        Cursor before = Cursor.parse(again.fromCursor());
        return before != null && before.lsn() >= shard.journal.firstLsn();
    }

    private static boolean isCarried(DeliveryAsk.Again again) {
        return again.subscription().isEmpty() || again.replays() == 0;
    }

    private static @Nullable String valueOf(Event event, String what) {
        return switch (what) {
            case "id" -> event.id();
            case "task" -> event.taskId();
            default -> event.correlationId();
        };
    }

    private Json row(Reader reader, Frame frame, long lsn, Event event) {
        DeliveryAsk.Again second = event.delivery().again();
        boolean carried = second != null && isCarried(second);
        DeliveryAsk.Again again = carried ? null : second;
        boolean letter = event.type().name().equals("event.dead_lettered");
        return Json.Obj.builder()
                .put("cursor", shard.replies.cursor(lsn))
                .put("record", again != null ? "replayed" : letter ? "dead_lettered" : "published")
                .put("recorded_at", Timestamps.format(frame.header().now()))
                .put("principal", frame.header().principal())
                .put("transport", frame.header().transport())
                .put("cause", frame.header().cause())
                .put("attempts", letter ? event.payload().array("history") : null)
                .put("subscription_id", again == null ? null : again.subscription())
                .put("replayed_from", again == null ? null : again.fromCursor())
                .put("replays", again == null ? null : (long) again.replays())
                .put("carried_from", carried && second != null ? second.fromCursor() : null)
                .put(
                        "event",
                        Redactor.json(
                                (Json.Obj) Json.parse(event.bytes(), 0, event.bytes().length),
                                reader.policy(),
                                reader.rights()))
                .build();
    }
}
