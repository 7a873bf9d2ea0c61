package dev.harmovela.store.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Layout of one frame, little-endian, padded to eight bytes:
 *
 * <pre>
 *  0 crc32c of the rest
 *  4 magic
 *  8 body length
 * 12 positions covered, 0 in a mark
 * 16 first position
 * 24 batch number
 * 32 epoch
 * 36 seal: lowest bit set in the last frame of a batch, above it a hash of header, segment salt and file offset
 * 40 body
 * </pre>
 *
 * The owner fills in what it knows; the rest is stamped by the writer, which alone knows where the frame lands. The
 * salted seal makes a frame inside the payload of another one, or one at a foreign place, recognizable by its header
 * alone.
 */
final class FrameFormat {

    static final int HEADER = 40;
    static final int ALIGNMENT = 8;
    static final int MAX_BODY = 8 << 20;
    static final int MAGIC = 0x4d52_4648;

    static final int MAGIC_AT = 4;
    static final int LENGTH_AT = 8;
    static final int COUNT_AT = 12;
    static final int LSN_AT = 16;
    static final int BATCH_AT = 24;
    static final int EPOCH_AT = 32;
    static final int SEAL_AT = 36;

    private FrameFormat() {}

    /** Bytes a frame takes in the file. */
    static int sizeOf(int bodyLength) {
        return (HEADER + bodyLength + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Appends a frame without its stamp at the position of {@code target}. */
    static void put(ByteBuffer target, long firstLsn, int lsnCount, byte[] body, int offset, int length) {
        int at = target.position();
        int end = at + sizeOf(length);
        target.putLong(end - ALIGNMENT, 0);
        target.putInt(at + MAGIC_AT, MAGIC);
        target.putInt(at + LENGTH_AT, length);
        target.putInt(at + COUNT_AT, lsnCount);
        target.putLong(at + LSN_AT, firstLsn);
        target.put(at + HEADER, body, offset, length);
        target.position(end);
    }

    /** Whether the header at {@code at} was written for {@code fileOffset} of the segment with {@code salt}. */
    static boolean sealed(ByteBuffer buffer, int at, long salt, long fileOffset) {
        int seal = buffer.getInt(at + SEAL_AT);
        return buffer.getInt(at + MAGIC_AT) == MAGIC && seal == seal(buffer, at, (seal & 1) != 0, salt ^ fileOffset);
    }

    /** Whether header and body at {@code at} match their checksum. */
    static boolean holds(CRC32C crc, ByteBuffer buffer, int at) {
        return buffer.getInt(at) == checksum(crc, buffer, at);
    }

    private static int checksum(CRC32C crc, ByteBuffer buffer, int at) {
        int position = buffer.position();
        int limit = buffer.limit();
        crc.reset();
        buffer.limit(at + HEADER + buffer.getInt(at + LENGTH_AT)).position(at + MAGIC_AT);
        crc.update(buffer);
        buffer.limit(limit).position(position);
        return (int) crc.getValue();
    }

    private static int seal(ByteBuffer buffer, int at, boolean last, long place) {
        long hash = KeyTable.mix(place);
        hash = KeyTable.mix(hash ^ buffer.getLong(at + LENGTH_AT));
        hash = KeyTable.mix(hash ^ buffer.getLong(at + LSN_AT));
        hash = KeyTable.mix(hash ^ buffer.getLong(at + BATCH_AT));
        hash = KeyTable.mix(hash ^ (((long) buffer.getInt(at + EPOCH_AT) << 1) | (last ? 1 : 0)));
        return ((int) (hash >>> 32) & ~1) | (last ? 1 : 0);
    }

    /** What the writer adds to each frame of one batch. */
    static final class Stamp {
        private final CRC32C crc = new CRC32C();
        private final int epoch;

        Stamp(int epoch) {
            this.epoch = epoch;
        }

        /** Completes every frame in {@code bytes}, which will be written to {@code fileOffset} of {@code segment}. */
        void apply(ByteBuffer bytes, long batch, Segment segment, long fileOffset) {
            long salt = segment.header().salt();
            int end = bytes.limit();
            int at = bytes.position();
            long shift = fileOffset - at;
            while (at < end) {
                int next = at + sizeOf(bytes.getInt(at + LENGTH_AT));
                bytes.putLong(at + BATCH_AT, batch);
                bytes.putInt(at + EPOCH_AT, epoch);
                bytes.putInt(at + SEAL_AT, seal(bytes, at, next == end, salt ^ (shift + at)));
                bytes.putInt(at, checksum(crc, bytes, at));
                segment.note(bytes.getLong(at + LSN_AT), shift + at);
                at = next;
            }
        }
    }
}
