package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.SnapshotStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots as files beside the segments. One that is damaged or of another directory or version is passed over and
 * counts as absent; one that is ahead of the log, because the log was cut, is set aside for good: the log will reach
 * its position again with other content.
 */
final class FileSnapshots implements SnapshotStore {

    static final String SUFFIX = ".snap";

    private static final String AHEAD_SUFFIX = ".ahead";

    private static final long MAGIC = 0x3150_414e_534d_5648L;
    private static final int FORMAT = 1;
    private static final int HEADER = 64;
    private static final int CHECKSUM_AT = 36;
    private static final int KEPT = 2;

    private final Disk disk;
    private final long directoryId;
    private final List<Long> usable = new ArrayList<>();

    /**
     * Looks through the snapshots that exist.
     *
     * @param lastLsn end of the log
     */
    FileSnapshots(Disk disk, long directoryId, long lastLsn) throws IOException {
        this.disk = disk;
        this.directoryId = directoryId;
        for (String name : disk.list()) {
            Snapshot snapshot = name.endsWith(SUFFIX) ? read(name) : null;
            if (snapshot != null && snapshot.lsn() <= lastLsn) {
                usable.add(snapshot.lsn());
            } else if (snapshot != null) {
                disk.rename(name, name + AHEAD_SUFFIX);
                disk.forceDirectory();
            }
        }
        usable.sort(null);
    }

    @Override
    public synchronized @Nullable Snapshot newest() throws IOException {
        while (!usable.isEmpty()) {
            Snapshot snapshot = read(fileName(usable.getLast()));
            if (snapshot != null) {
                return snapshot;
            }
            usable.removeLast();
        }
        return null;
    }

    @Override
    public synchronized long oldestKeptLsn() {
        return usable.size() < KEPT ? 0 : usable.get(usable.size() - KEPT);
    }

    @Override
    public synchronized void store(Snapshot snapshot) throws IOException {
        String name = fileName(snapshot.lsn());
        String temporary = name + Segment.TEMPORARY_SUFFIX;
        deleteIfThere(temporary);
        try (DiskFile file = disk.create(temporary)) {
            file.write(0, encode(snapshot));
            file.force();
        }
        disk.rename(temporary, name);
        disk.forceDirectory();
        usable.remove(Long.valueOf(snapshot.lsn()));
        usable.add(snapshot.lsn());
        usable.sort(null);
        dropAllBut(usable.subList(Math.max(0, usable.size() - KEPT), usable.size()));
    }

    private void dropAllBut(List<Long> kept) throws IOException {
        List<Long> stay = List.copyOf(kept);
        usable.retainAll(stay);
        if (stay.size() < KEPT && !stay.isEmpty()) {
            return;
        }
        List<String> names = stay.stream().map(FileSnapshots::fileName).toList();
        for (String name : disk.list()) {
            if (name.endsWith(SUFFIX) && !names.contains(name)) {
                disk.delete(name);
                disk.forceDirectory();
            }
        }
    }

    @Override
    public synchronized void clear() throws IOException {
        dropAllBut(List.of());
    }

    private void deleteIfThere(String name) throws IOException {
        if (disk.list().contains(name)) {
            disk.delete(name);
        }
    }

    private static String fileName(long lsn) {
        return "%020d".formatted(lsn) + SUFFIX;
    }

    /** Position in the name of a snapshot file; 0 when there is none. */
    static long lsnOf(String name) {
        String digits = name.substring(0, name.length() - SUFFIX.length());
        return digits.matches("00[0-9]{18}") ? Long.parseLong(digits) : 0;
    }

    private ByteBuffer encode(Snapshot snapshot) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + snapshot.bytes().length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putInt(FORMAT).putInt(snapshot.bytes().length);
        bytes.putLong(directoryId).putLong(snapshot.lsn()).position(HEADER);
        bytes.put(snapshot.bytes()).flip();
        return bytes.putInt(CHECKSUM_AT, checksum(bytes));
    }

    private @Nullable Snapshot read(String name) throws IOException {
        return read(disk, directoryId, name);
    }

    /** The snapshot in a file, or null when it cannot be used by the log of {@code directoryId}. */
    static @Nullable Snapshot read(Disk disk, long directoryId, String name) throws IOException {
        ByteBuffer bytes;
        try (DiskFile file = disk.open(name)) {
            bytes = ByteBuffer.allocate((int) Math.min(Integer.MAX_VALUE - 8, file.size()))
                    .order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining() && file.read(bytes.position(), bytes) > 0) {
                // a read may return less than was asked for
            }
        }
        bytes.flip();
        boolean holds = bytes.limit() >= HEADER
                && bytes.getInt(CHECKSUM_AT) == checksum(bytes)
                && bytes.getLong(0) == MAGIC
                && bytes.getInt(8) == FORMAT
                && bytes.getInt(12) == bytes.limit() - HEADER
                && bytes.getLong(16) == directoryId
                && name.equals(fileName(bytes.getLong(24)));
        if (!holds) {
            return null;
        }
        byte[] content = new byte[bytes.limit() - HEADER];
        bytes.get(HEADER, content);
        return new Snapshot(bytes.getLong(24), content);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, CHECKSUM_AT);
        crc.update(bytes.array(), CHECKSUM_AT + Integer.BYTES, bytes.limit() - CHECKSUM_AT - Integer.BYTES);
        return (int) crc.getValue();
    }
}
