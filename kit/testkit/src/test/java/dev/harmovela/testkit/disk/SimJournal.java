package dev.harmovela.testkit.disk;

import dev.harmovela.spi.FrameKeys;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.testkit.JournalWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A journal with small segments on a simulated disk, and what tests of its faults do with it. */
final class SimJournal {

    static final int SEGMENT = 16 << 10;
    static final int HEADER = 4096;
    static final int FRAME_HEADER = 40;

    /** A frame can be found by its first byte. */
    static final FrameKeys FIRST_BYTE = (body, sink) -> {
        if (body.hasRemaining()) {
            sink.accept(body.get(body.position()));
        }
    };

    final SimDisk disk;
    final InlineThreads threads = new InlineThreads();
    final JournalWatch watch = new JournalWatch();
    final SegmentJournal journal;

    private SimJournal(SimDisk disk, JournalOptions options) throws IOException {
        this.disk = disk;
        this.journal = SegmentJournal.open(disk, options, threads, FIRST_BYTE, watch);
    }

    static JournalOptions options() {
        return JournalOptions.DEFAULT.withSegmentBytes(SEGMENT).withRandom(new SplittableRandom(7)::nextLong);
    }

    static SimJournal open(SimDisk disk) throws IOException {
        return new SimJournal(disk, options());
    }

    static SimJournal open(SimDisk disk, JournalOptions options) throws IOException {
        return new SimJournal(disk, options);
    }

    /** Appends and commits a frame of {@code size} bytes that all equal {@code value}. */
    void put(int value, int size) {
        byte[] body = new byte[size];
        Arrays.fill(body, (byte) value);
        journal.append(journal.lastLsn() + 1, 1, body, 0, size);
        journal.commit();
    }

    /** Commits frames of 1 000 bytes, eleven of which fill a segment. */
    SimJournal fill(int frames) {
        for (int i = 0; i < frames; i++) {
            put(i, 1_000);
        }
        return this;
    }

    /** First byte of each frame that can be read. */
    List<Integer> values() throws IOException {
        List<Integer> values = new ArrayList<>();
        journal.read(1, (_, _, body) -> values.add(body.hasRemaining() ? (int) body.get(body.position()) : -1));
        return values;
    }

    static String segment(long firstLsn) {
        return "%020d.seg".formatted(firstLsn);
    }

    static String index(long firstLsn) {
        return "%020d.idx".formatted(firstLsn);
    }

    /** Overwrites bytes of a file for good. */
    static void patch(SimDisk disk, String name, long offset, byte... bytes) throws IOException {
        try (var file = disk.open(name)) {
            file.write(offset, ByteBuffer.wrap(bytes));
            file.force();
        }
    }

    static byte[] bytes(SimDisk disk, String name) throws IOException {
        try (var file = disk.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(0, bytes);
            return bytes.array();
        }
    }
}
