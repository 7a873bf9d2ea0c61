package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The key index file of one sealed segment: sorted pairs of key and position.
 *
 * <p>In memory it keeps a Bloom filter of eight to sixteen bits per key, which answers most misses, and every 256th
 * key, so that a hit costs one read of a page. Immutable after loading.
 */
final class KeyIndex {

    private static final long MAGIC = 0x3158_4449_4c56_4d48L;
    private static final int FORMAT = 1;
    private static final int HEADER = 64;
    private static final int PAIR = 16;
    private static final int PAGE = 256;
    private static final int PROBES = 5;
    private static final int CHECKSUM_AT = 36;

    private final String name;
    private final int pairs;
    private final long[] bloom;
    private final long[] fences;

    private KeyIndex(String name, int pairs, long[] bloom, long[] fences) {
        this.name = name;
        this.pairs = pairs;
        this.bloom = bloom;
        this.fences = fences;
    }

    /** Writes the index of {@code segment} durably and returns it. */
    static KeyIndex write(Disk disk, Segment segment, KeyTable table) throws IOException {
        long[] pairs = table.sortedPairs();
        long[] bloom = newBloom(table.size());
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + bloom.length * Long.BYTES + pairs.length * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < pairs.length; i += 2) {
            set(bloom, pairs[i]);
        }
        SegmentHeader owner = segment.header();
        bytes.putLong(MAGIC).putInt(FORMAT).putInt(table.size()).putLong(owner.directoryId());
        bytes.putLong(owner.salt()).putInt(bloom.length).position(HEADER);
        for (long word : bloom) {
            bytes.putLong(word);
        }
        for (long value : pairs) {
            bytes.putLong(value);
        }
        bytes.putInt(CHECKSUM_AT, checksum(bytes.flip()));
        SegmentFiles.replace(disk, segment.indexName(), bytes);
        return new KeyIndex(segment.indexName(), table.size(), bloom, fences(bytes, bloom.length, table.size()));
    }

    /** The index of {@code segment} as it lies on disk; null when it is missing, damaged or of another segment. */
    static @Nullable KeyIndex load(Disk disk, Segment segment) throws IOException {
        String name = segment.indexName();
        if (!disk.list().contains(name)) {
            return null;
        }
        ByteBuffer bytes;
        try (DiskFile file = disk.open(name)) {
            bytes = ByteBuffer.allocate((int) Math.min(Integer.MAX_VALUE - 8, file.size()))
                    .order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining() && file.read(bytes.position(), bytes) > 0) {
                // a read may return less than was asked for
            }
        }
        bytes.flip();
        if (bytes.limit() < HEADER
                || bytes.getInt(CHECKSUM_AT) != checksum(bytes)
                || bytes.getLong(0) != MAGIC
                || bytes.getInt(8) != FORMAT
                || bytes.getLong(16) != segment.header().directoryId()
                || bytes.getLong(24) != segment.header().salt()) {
            return null;
        }
        int pairs = bytes.getInt(12);
        long[] bloom = new long[bytes.getInt(32)];
        for (int i = 0; i < bloom.length; i++) {
            bloom[i] = bytes.getLong(HEADER + i * Long.BYTES);
        }
        return new KeyIndex(name, pairs, bloom, fences(bytes, bloom.length, pairs));
    }

    private static long[] fences(ByteBuffer bytes, int bloomWords, int pairs) {
        long[] fences = new long[(pairs + PAGE - 1) / PAGE];
        for (int i = 0; i < fences.length; i++) {
            fences[i] = bytes.getLong(HEADER + bloomWords * Long.BYTES + i * PAGE * PAIR);
        }
        return fences;
    }

    /** Checksum of everything but the checksum. */
    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, CHECKSUM_AT);
        crc.update(bytes.array(), CHECKSUM_AT + Integer.BYTES, bytes.limit() - CHECKSUM_AT - Integer.BYTES);
        return (int) crc.getValue();
    }

    /** Positions of {@code key} not below {@code fromLsn}, ascending. */
    long[] find(Disk disk, long key, long fromLsn) throws IOException {
        if (!mayContain(key)) {
            return new long[0];
        }
        long[] found = new long[4];
        int count = 0;
        ByteBuffer page = ByteBuffer.allocate(PAGE * PAIR).order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile file = disk.open(name)) {
            for (int number = firstPage(key); number < fences.length; number++) {
                page.clear().limit(Math.min(PAGE, pairs - number * PAGE) * PAIR);
                long start = HEADER + bloom.length * (long) Long.BYTES + (long) number * PAGE * PAIR;
                while (page.hasRemaining() && file.read(start + page.position(), page) > 0) {
                    // a read may return less than was asked for
                }
                page.flip();
                while (page.remaining() >= PAIR) {
                    long at = page.getLong();
                    long lsn = page.getLong();
                    if (at == key && lsn >= fromLsn) {
                        found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                        found[count++] = lsn;
                    } else if (Long.compareUnsigned(at, key) > 0) {
                        return Arrays.copyOf(found, count);
                    }
                }
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** The last page that begins below {@code key}, for its pairs may begin in the middle of it. */
    private int firstPage(long key) {
        int low = 0;
        for (int high = fences.length - 1; low < high; ) {
            int middle = (low + high + 1) >>> 1;
            if (Long.compareUnsigned(fences[middle], key) < 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static long[] newBloom(int keys) {
        int words = Math.max(1, Integer.highestOneBit(Math.max(1, keys - 1)) * 16 / Long.SIZE);
        return new long[words];
    }

    private static void set(long[] bloom, long key) {
        long hash = KeyTable.mix(key);
        for (int i = 0; i < PROBES; i++) {
            int bit = probe(hash, i, bloom.length);
            bloom[bit >>> 6] |= 1L << bit;
        }
    }

    private boolean mayContain(long key) {
        long hash = KeyTable.mix(key);
        for (int i = 0; i < PROBES; i++) {
            int bit = probe(hash, i, bloom.length);
            if ((bloom[bit >>> 6] & (1L << bit)) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int probe(long hash, int number, int words) {
        return ((int) hash + number * (int) ((hash >>> 32) | 1)) & (words * Long.SIZE - 1);
    }
}
