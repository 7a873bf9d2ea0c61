package dev.harmovela.store.journal;

import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first block of a segment file.
 *
 * @param directoryId identity of the data directory
 * @param salt secret of this segment, mixed into the checksum of each of its frames, so that no payload can pass for
 *     a frame
 * @param shard owner of the log
 * @param firstLsn position of the first record in or behind this segment
 * @param firstBatch number of the first batch in it
 */
record SegmentHeader(long directoryId, long salt, int shard, long firstLsn, long firstBatch) {

    /** A block of its own, so that frames never share a block with it. */
    static final int BYTES = 4096;

    /** Version of the files this code writes; also the newest it can read. */
    static final int FORMAT = 1;

    /** Oldest code that may read what this code writes. */
    private static final int MIN_READER = 1;

    private static final long MAGIC = 0x3147_4553_4c56_4d48L;
    private static final int CHECKSUM_AT = 56;

    ByteBuffer encode() {
        ByteBuffer block = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        block.putLong(MAGIC)
                .putInt(FORMAT)
                .putInt(MIN_READER)
                .putLong(directoryId)
                .putLong(salt);
        block.putLong(shard).putLong(firstLsn).putLong(firstBatch);
        block.putInt(CHECKSUM_AT, checksum(block));
        return block.rewind();
    }

    static SegmentHeader read(String name, DiskFile file) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (block.hasRemaining() && file.read(block.position(), block) > 0) {
            // a read may return less than was asked for
        }
        if (block.hasRemaining()) {
            throw new JournalCorrupt(name, block.position(), "the file ends inside its header");
        }
        block.rewind();
        if (block.getLong() != MAGIC) {
            throw new JournalCorrupt(name, 0, "it does not begin like a segment");
        }
        int format = block.getInt();
        int minReader = block.getInt();
        if (minReader > FORMAT || format < 1) {
            throw new JournalIncompatible(
                    name, "format " + format + " needs a reader of format " + minReader + ", this one reads " + FORMAT);
        }
        if (block.getInt(CHECKSUM_AT) != checksum(block)) {
            throw new JournalCorrupt(name, 0, "its header does not match its checksum");
        }
        return new SegmentHeader(
                block.getLong(), block.getLong(), (int) block.getLong(), block.getLong(), block.getLong());
    }

    private static int checksum(ByteBuffer block) {
        CRC32C crc = new CRC32C();
        crc.update(block.array(), 0, CHECKSUM_AT);
        return (int) crc.getValue();
    }
}
