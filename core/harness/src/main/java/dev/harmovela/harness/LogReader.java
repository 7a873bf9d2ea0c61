package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.harness.delivery.Deliveries.Chunk;
import dev.harmovela.harness.delivery.Deliveries.Read;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.harness.routing.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the log away from the owner and brings what it found back to it. */
final class LogReader {

    private static final int MAX_BYTES = 512 << 10;

    private final Shard shard;

    LogReader(Shard shard) {
        this.shard = shard;
    }

    /** Matches of a route behind a position, at most {@code limit} or about a megabyte. */
    void read(Route route, long afterLsn, int limit, Consumer<Chunk> done) {
        String tenant = route.subscription().tenant();
        shard.hub.reading().execute(() -> {
            Chunk chunk = scan(route, tenant, afterLsn, limit);
            shard.hub.onOwner(shard, () -> done.accept(chunk));
        });
    }

    private Chunk scan(Route route, String tenant, long afterLsn, int limit) {
        List<Read> reads = new ArrayList<>();
        long[] state = {afterLsn, 0};
        FrameCodec codec = new FrameCodec(shard.config.registry());
        try {
            shard.journal.read(afterLsn + 1, (first, count, body) -> {
                if (first > state[0] + 1) {
                    // retention took what lies between: the reader has to say so before it goes on
                    return false;
                }
                Frame frame = codec.read(first, body);
                if (frame.header().tenant().equals(tenant)) {
                    state[1] += collect(frame, route, afterLsn, reads);
                }
                state[0] = frame.lastLsn();
                return reads.size() < limit && state[1] < MAX_BYTES;
            });
            return new Chunk(reads, state[0], null);
        } catch (IOException e) {
            shard.hub.readFailed(e);
            return new Chunk(List.of(), afterLsn, null);
        }
    }

    private static long collect(Frame frame, Route route, long afterLsn, List<Read> reads) {
        long bytes = 0;
        for (int i = 0; i < frame.events().size(); i++) {
            Event event = frame.events().get(i);
            long lsn = frame.firstLsn() + i;
            if (lsn > afterLsn && route.takes(event)) {
                reads.add(new Read(lsn, event));
                bytes += event.bytes().length;
            }
        }
        return bytes;
    }

    /** One event; null when the log no longer holds it. */
    void fetch(long lsn, Consumer<@Nullable Event> done) {
        shard.hub.reading().execute(() -> {
            Event event = find(lsn);
            shard.hub.onOwner(shard, () -> done.accept(event));
        });
    }

    /** One event, on the caller's thread; blocks. Null when the log no longer holds it. */
    @Nullable Event find(long lsn) {
        try {
            return read(lsn);
        } catch (IOException e) {
            shard.hub.readFailed(e);
            return null;
        }
    }

    /**
     * Events at some positions, on the caller's thread; blocks. Null for those that the log no longer holds. Ends
     * early, but not before the first, once {@code most} bytes were found.
     */
    List<@Nullable Event> findAll(long[] lsns, long most) throws IOException {
        List<@Nullable Event> found = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < lsns.length && bytes < most; i++) {
            Event event = read(lsns[i]);
            found.add(event);
            bytes += event == null ? 0 : event.bytes().length;
        }
        return found;
    }

    private @Nullable Event read(long lsn) throws IOException {
        @Nullable Event[] found = {null};
        FrameCodec codec = new FrameCodec(shard.config.registry());
        shard.journal.read(lsn, (first, count, body) -> {
            int index = (int) (lsn - first);
            List<Event> events = index < 0 ? List.of() : codec.readEvents(body);
            if (index >= 0 && index < events.size()) {
                found[0] = events.get(index);
            }
            return false;
        });
        return found[0];
    }
}
