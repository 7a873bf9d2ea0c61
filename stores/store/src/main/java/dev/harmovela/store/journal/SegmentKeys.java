package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.FrameKeys;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames of one segment by key: through its index file once that exists, through a table filled by reading
 * what was added since the last question before. Thread-safe; questions about one segment wait for each other.
 */
final class SegmentKeys {

    private final Segment segment;
    private @Nullable KeyIndex index;
    private @Nullable KeyTable table;
    private long scanned = SegmentHeader.BYTES;

    SegmentKeys(Segment segment) {
        this.segment = segment;
    }

    /** Positions of {@code key} from {@code fromLsn} to {@code toLsn}, ascending. */
    synchronized long[] find(Disk disk, FrameKeys keys, long key, long fromLsn, long toLsn) throws IOException {
        if (index != null) {
            return index.find(disk, key, fromLsn);
        }
        return scan(disk, keys, toLsn).find(key, fromLsn);
    }

    /** Loads the index file of a sealed segment, or writes it when it is missing or cannot be used. */
    synchronized void build(Disk disk, FrameKeys keys) throws IOException {
        if (index == null && !segment.trimmed()) {
            index = KeyIndex.load(disk, segment);
            if (index == null) {
                index = KeyIndex.write(disk, segment, scan(disk, keys, Long.MAX_VALUE));
            }
            table = null;
        }
    }

    private KeyTable scan(Disk disk, FrameKeys keys, long toLsn) throws IOException {
        KeyTable known = table != null ? table : new KeyTable();
        try (DiskFile file = disk.open(segment.name())) {
            FrameReader reader = new FrameReader(file, segment.header().salt(), scanned, segment.fileBytes());
            FrameReader.Status status = reader.next();
            while (status == FrameReader.Status.FRAME && reader.firstLsn() <= toLsn) {
                if (reader.lsnCount() > 0) {
                    long lsn = reader.firstLsn();
                    keys.keys(reader.body(), key -> known.add(key, lsn));
                }
                scanned = reader.nextOffset();
                status = reader.next();
            }
            if (status == FrameReader.Status.BAD && segment.sealed()) {
                throw new JournalCorrupt(segment.name(), reader.offset(), "this is not a valid frame");
            }
        }
        table = known;
        return known;
    }
}
