package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.spi.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One page of the audit, read from the log and from what is kept of older frames, oldest record first.
 *
 * <p>It reads in steps, so that others who wait for the log get their turn, and at most so much for one page that an
 * answer comes in time; the cursor of a page says how far it got, whether it found anything or not.
 */
final class AuditPage {

    private static final int STEP_BYTES = 4 << 20;
    private static final int MOST_STEPS = 32;
    private static final int REMEMBERED = 4096;

    private final Shard shard;
    private final String tenant;
    private final boolean hubToo;
    private final AuditFilter filter;
    private final int limit;
    private final @Nullable String cursor;
    private final FrameCodec codec;
    private final List<Json> items = new ArrayList<>();
    private final Map<Long, Event> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Event> eldest) {
            return size() > REMEMBERED;
        }
    };
    private long at;
    private int skip;
    private long bytes;
    private boolean ended;

    /** @param hubToo whether records that belong to no tenant are shown as well */
    AuditPage(Shard shard, String tenant, boolean hubToo, AuditFilter filter, int limit, @Nullable String cursor) {
        this.shard = shard;
        this.tenant = tenant;
        this.hubToo = hubToo;
        this.filter = filter;
        this.limit = limit;
        this.cursor = cursor;
        this.codec = new FrameCodec(shard.config.registry());
    }

    /** One record as it is shown. */
    static Json.Obj row(AuditRecords.Row row, long firstLsn, int index) {
        Json.Builder shown =
                Json.Obj.builder().put("cursor", place(firstLsn, index)).put("type", row.type());
        Json.Obj members = row.json().build();
        members.names().forEach(name -> shown.put(name, members.get(name)));
        return shown.build();
    }

    private static String place(long lsn, int index) {
        return Long.toString(lsn, Character.MAX_RADIX) + '.' + Integer.toString(index, Character.MAX_RADIX);
    }

    /** Reads the page off the owner and answers on it. */
    void read(Consumer<Answer> done) {
        shard.hub.reading().execute(() -> {
            try {
                begin();
                step(1, done);
            } catch (NumberFormatException _) {
                answer(
                        done,
                        new Answer.Failed(ProtocolError.because(
                                ErrorCode.INVALID_PAYLOAD,
                                "cursor_out_of_range",
                                "this page cursor is not one of ours")));
            } catch (IOException e) {
                failed(done, e);
            }
        });
    }

    private void step(int number, Consumer<Answer> done) {
        bytes = 0;
        try {
            ended = true;
            shard.journal.readAudit(at, this::frame);
        } catch (IOException e) {
            failed(done, e);
            return;
        } catch (UncheckedIOException e) {
            failed(done, new IOException(e));
            return;
        }
        if (ended || items.size() >= limit || number >= MOST_STEPS) {
            boolean more = !ended;
            answer(
                    done,
                    new Answer.Found(Json.Obj.builder()
                            .put("items", new Json.Arr(items))
                            .put("next_cursor", more ? Json.of(place(at, skip)) : Json.Null.NULL)
                            .build()));
        } else {
            shard.hub.reading().execute(() -> step(number + 1, done));
        }
    }

    private void answer(Consumer<Answer> done, Answer answer) {
        shard.hub.onOwner(shard, () -> done.accept(answer));
    }

    private void failed(Consumer<Answer> done, IOException e) {
        shard.hub.onOwner(shard, () -> shard.hub.readFailed(e));
        answer(done, new Answer.Failed(ProtocolError.internal()));
    }

    // --- where to begin

    private void begin() throws IOException {
        if (cursor != null) {
            int dot = cursor.indexOf('.');
            if (dot < 0) {
                throw new NumberFormatException(cursor);
            }
            at = Long.parseLong(cursor.substring(0, dot), Character.MAX_RADIX);
            skip = Integer.parseInt(cursor.substring(dot + 1), Character.MAX_RADIX);
            return;
        }
        at = shard.journal.firstAuditLsn();
        if (filter.since() != Long.MIN_VALUE) {
            at = LogTimes.firstSince(shard, at, shard.journal.durableLsn(), filter.since());
        }
        Long key = filter.key();
        if (key != null && at >= shard.journal.firstLsn()) {
            long[] found = shard.journal.find(key, at, 1);
            at = found.length == 0 ? shard.journal.lastLsn() + 1 : found[0];
        }
    }

    // --- reading

    private boolean frame(long firstLsn, int lsnCount, ByteBuffer body) {
        if (items.size() >= limit || bytes > STEP_BYTES) {
            ended = false;
            return false;
        }
        bytes += body.remaining();
        int from = firstLsn == at ? skip : 0;
        at = firstLsn;
        skip = 0;
        Frame.Header header = codec.readHeader(body);
        boolean mine =
                header.tenant().equals(tenant) || (hubToo && header.tenant().isEmpty());
        // what was denied may be a little older than its frame
        if (header.now() >= filter.until() + 2_000 && filter.until() != Long.MAX_VALUE) {
            return false;
        }
        if (mine && header.now() >= filter.since()) {
            Frame frame = codec.read(firstLsn, body);
            remember(frame);
            take(frame, from);
        }
        if (skip == 0) {
            at = firstLsn + lsnCount;
        }
        return ended;
    }

    private void remember(Frame frame) {
        for (int i = 0; i < frame.events().size(); i++) {
            seen.put(frame.firstLsn() + i, frame.events().get(i));
        }
    }

    private void take(Frame frame, int from) {
        List<AuditRecords.Row> rows = AuditRecords.of(frame, this::eventAt);
        for (int i = from; i < rows.size(); i++) {
            if (items.size() >= limit) {
                skip = i;
                ended = false;
                return;
            }
            if (filter.takes(rows.get(i).type())) {
                Json.Obj row = row(rows.get(i), frame.firstLsn(), i);
                if (filter.takes(row) && inTime(row)) {
                    items.add(row);
                }
            }
        }
    }

    private boolean inTime(Json.Obj row) {
        String time = row.string("time");
        long millis = time == null ? 0 : Timestamps.parse(time);
        return millis >= filter.since() && millis < filter.until();
    }

    private @Nullable Event eventAt(long lsn) {
        Event known = seen.get(lsn);
        if (known != null) {
            return known;
        }
        @Nullable Event[] found = {null};
        try {
            shard.journal.readAudit(lsn, (first, count, body) -> {
                List<Event> events = first <= lsn ? codec.readEvents(body) : List.of();
                long index = lsn - first;
                if (index >= 0 && index < events.size()) {
                    found[0] = events.get((int) index);
                }
                return false;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (found[0] != null) {
            seen.put(lsn, found[0]);
        }
        return found[0];
    }
}
