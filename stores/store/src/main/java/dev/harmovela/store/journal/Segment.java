package dev.harmovela.store.journal;

import java.util.Arrays;

/**
 * One segment file as the journal knows it: written by the writer, looked at by readers.
 *
 * <p>Its sparse index remembers the offset of about one frame in 64 KiB.
 */
final class Segment {

    static final String SUFFIX = ".seg";
    static final String INDEX_SUFFIX = ".idx";
    static final String HASH_SUFFIX = ".sha";
    static final String TEMPORARY_SUFFIX = ".tmp";

    private static final int SPACING = 64 << 10;

    private final SegmentHeader header;
    private final String name;
    private volatile long fileBytes;
    private final SegmentKeys keys = new SegmentKeys(this);
    private long[] lsns = new long[16];
    private long[] offsets = new long[16];
    private int marks;
    private long lastNoted = -SPACING;
    private volatile long usedBytes = SegmentHeader.BYTES;
    private volatile boolean sealed;
    private volatile boolean trimmed;

    Segment(SegmentHeader header, long fileBytes) {
        this.header = header;
        this.name = fileName(header.firstLsn());
        this.fileBytes = fileBytes;
    }

    static String fileName(long firstLsn) {
        return "%020d".formatted(firstLsn) + SUFFIX;
    }

    SegmentHeader header() {
        return header;
    }

    long firstLsn() {
        return header.firstLsn();
    }

    String name() {
        return name;
    }

    String indexName() {
        return name.substring(0, name.length() - SUFFIX.length()) + INDEX_SUFFIX;
    }

    String hashName() {
        return hashName(name);
    }

    /** The file with the hashes of the blocks of the segment file {@code segment}. */
    static String hashName(String segment) {
        return segment.substring(0, segment.length() - SUFFIX.length()) + HASH_SUFFIX;
    }

    /** Size of the file, most of it allocated ahead in the open segment. */
    long fileBytes() {
        return fileBytes;
    }

    /** Bytes of header and frames. */
    long usedBytes() {
        return usedBytes;
    }

    void use(long upTo) {
        usedBytes = upTo;
    }

    void resize(long bytes) {
        fileBytes = bytes;
    }

    SegmentKeys keys() {
        return keys;
    }

    /** Notes where a frame begins, if the last noted one is far enough. Called by the one thread that writes. */
    void note(long lsn, long offset) {
        if (offset - lastNoted >= SPACING) {
            lastNoted = offset;
            add(lsn, offset);
        }
    }

    private synchronized void add(long lsn, long offset) {
        if (marks == lsns.length) {
            lsns = Arrays.copyOf(lsns, 2 * marks);
            offsets = Arrays.copyOf(offsets, 2 * marks);
        }
        lsns[marks] = lsn;
        offsets[marks++] = offset;
    }

    /** Offset of a frame at or before the one that covers {@code lsn}. */
    synchronized long offsetBefore(long lsn) {
        int found = Arrays.binarySearch(lsns, 0, marks, lsn);
        int index = found >= 0 ? found : -found - 2;
        return index < 0 ? SegmentHeader.BYTES : offsets[index];
    }

    /** Whether nothing will be added any more. */
    boolean sealed() {
        return sealed;
    }

    void seal() {
        sealed = true;
    }

    /** Whether its file is going or gone. */
    boolean trimmed() {
        return trimmed;
    }

    void markTrimmed() {
        trimmed = true;
    }
}
