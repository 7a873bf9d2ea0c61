package dev.harmovela.harness;

import dev.harmovela.harness.frame.FrameCodec;
import java.io.IOException;

/** Finds times in the log, along which time never falls. */
final class LogTimes {

    private static final long COARSE = 512;

    private LogTimes() {}

    /**
     * A position at or shortly before the first frame of {@code millis} between two positions, frames that left the
     * log included. Blocks; not for the owner's thread.
     */
    static long firstSince(Shard shard, long first, long last, long millis) throws IOException {
        FrameCodec codec = new FrameCodec(shard.config.registry());
        long low = first;
        long high = last;
        while (high - low > COARSE) {
            long middle = low + (high - low) / 2;
            long[] time = {Long.MAX_VALUE};
            shard.journal.readAudit(middle, (lsn, count, body) -> {
                time[0] = codec.readHeader(body).now();
                return false;
            });
            if (time[0] < millis) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
