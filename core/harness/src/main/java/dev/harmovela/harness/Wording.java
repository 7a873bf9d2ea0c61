package dev.harmovela.harness;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.delivery.Delivery;
import dev.harmovela.harness.delivery.Gap;
import dev.harmovela.spi.Message;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts answers and copies into bytes, in one reused message.
 *
 * <p>A copy is the stored bytes of the event with a delivery block of its own in front: nothing is parsed and
 * nothing is shared between subscribers but the bytes (§6). One owner, not thread-safe.
 */
final class Wording {

    private static final byte[] NOTHING = {};

    private final Shard shard;
    private final Message message = new Message();
    private final byte[] cursorPrefix;
    private byte[] head = new byte[1024];
    private int size;
    private long stampMillis = -1;
    private byte[] stamp = NOTHING;

    Wording(Shard shard) {
        this.shard = shard;
        this.cursorPrefix = (shard.journal.id() + "-").getBytes(StandardCharsets.US_ASCII);
    }

    Message acknowledged(Event event, long lsn, boolean duplicate, @Nullable String taskId) {
        size = 0;
        String id = shard.hub.ids().next("evt");
        text("{\"spec_version\":\"0.2\",\"id\":\"").text(id);
        text("\",\"type\":\"event.acknowledged\",\"source\":\"").text(Replies.HUB);
        text("\",\"created_at\":\"").now().text("\"");
        member("session_id", event.sessionId());
        member("correlation_id", event.correlationId());
        member("causation_id", event.id());
        text(",\"payload\":{\"acknowledged_event_id\":").quoted(event.id());
        text(",\"cursor\":");
        if (lsn > 0) {
            text("\"").cursor(lsn).text("\"");
        } else {
            text("null");
        }
        if (duplicate) {
            text(",\"duplicate\":true");
        }
        member("task_id", taskId);
        text("}}");
        return ready(id, "event.acknowledged", NOTHING, 0, true);
    }

    /** @param body the event as this consumer may see it */
    Message delivery(Delivery copy, byte[] body) {
        size = 0;
        text("{\"delivery\":{\"mode\":\"").text(copy.mode().wire());
        text("\",\"subscription_id\":").quoted(copy.subscription());
        if (copy.mode() != DeliveryMode.BEST_EFFORT) {
            text(",\"sequence\":").number(copy.seq());
            text(",\"cursor\":\"").cursor(copy.lsn()).text("\",\"attempt\":").number(copy.attempt());
        }
        Gap gap = copy.gap();
        if (gap != null) {
            text(",\"gap\":{\"from_cursor\":\"").cursor(gap.fromLsn() - 1);
            text("\",\"to_cursor\":\"").cursor(gap.toLsn());
            text("\",\"reason\":\"").text(gap.reason()).text("\"}");
        }
        DeliveryAsk.Again again = copy.event().delivery().again();
        if (again != null) {
            text(",\"replayed_from\":").quoted(again.fromCursor());
        }
        if (copy.event().staleAt() <= shard.now()) {
            text(",\"stale\":true");
        }
        text("},");
        Message delivery = ready(copy.event().id(), copy.event().type().name(), body, 1, false);
        delivery.resumable = copy.mode() != DeliveryMode.BEST_EFFORT;
        return delivery;
    }

    Message answer(Event event, boolean diagnostic) {
        Message answer = whole(event);
        answer.answer = true;
        answer.diagnostic = diagnostic;
        return answer;
    }

    Message notice(Event event) {
        return whole(event);
    }

    private Message whole(Event event) {
        size = 0;
        return ready(event.id(), event.type().name(), event.bytes(), 0, false);
    }

    private Message ready(String id, String type, byte[] body, int bodyOffset, boolean answer) {
        message.id = id;
        message.type = type;
        message.head = head;
        message.headLength = size;
        message.body = body;
        message.bodyOffset = bodyOffset;
        message.bodyLength = body.length - bodyOffset;
        message.answer = answer;
        message.diagnostic = false;
        message.resumable = false;
        return message;
    }

    // --- small pieces

    private void member(String name, @Nullable String value) {
        if (value != null) {
            text(",\"").text(name).text("\":").quoted(value);
        }
    }

    /** Plain ASCII, taken as it is. */
    @SuppressWarnings("deprecation") // the one-byte copy is what is wanted for ASCII
    private Wording text(String ascii) {
        int length = ascii.length();
        room(length);
        ascii.getBytes(0, length, head, size);
        size += length;
        return this;
    }

    /** A JSON string; foreign text takes the slow way when it needs escapes. */
    private Wording quoted(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7f || c == '"' || c == '\\') {
                byte[] escaped = Json.of(value).toString().getBytes(StandardCharsets.UTF_8);
                return bytes(escaped);
            }
        }
        return text("\"").text(value).text("\"");
    }

    private Wording bytes(byte[] source) {
        room(source.length);
        System.arraycopy(source, 0, head, size, source.length);
        size += source.length;
        return this;
    }

    private Wording number(long value) {
        return text(Long.toString(value));
    }

    private Wording cursor(long lsn) {
        bytes(cursorPrefix);
        return text(Long.toString(lsn, 36));
    }

    private Wording now() {
        if (stampMillis != shard.now()) {
            stampMillis = shard.now();
            stamp = Timestamps.format(stampMillis).getBytes(StandardCharsets.US_ASCII);
        }
        return bytes(stamp);
    }

    private void room(int more) {
        if (size + more > head.length) {
            head = Arrays.copyOf(head, Math.max(head.length * 2, size + more));
        }
    }
}
