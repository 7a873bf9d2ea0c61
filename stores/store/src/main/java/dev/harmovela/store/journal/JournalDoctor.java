package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import dev.harmovela.spi.SnapshotStore.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks into the files of a log that is not open, and gives up what is damaged when it is told to. */
public final class JournalDoctor {

    /** What a finding is about. */
    public enum Kind {
        /** A segment whose frames are all valid. */
        SEGMENT,
        /** The last segment, behind whose frames an unfinished batch stands; the next opening cuts it. */
        TORN_TAIL,
        /** A segment that had been promised and is damaged; the log refuses to open. */
        DAMAGED,
        /** A segment written by another version, or one that does not belong here; the log refuses to open. */
        INCOMPATIBLE,
        /** A snapshot that can be used. */
        SNAPSHOT,
        /** A snapshot that is passed over. */
        UNUSABLE_SNAPSHOT
    }

    /**
     * One file.
     *
     * @param frames valid frames before {@code offset}
     * @param firstLsn position of the first of them
     * @param lastLsn position of the last of them; of a snapshot, its position
     * @param offset offset behind the last valid frame: where the damage or the torn tail begins
     * @param text what was found, for people
     */
    public record Finding(String file, Kind kind, long frames, long firstLsn, long lastLsn, long offset, String text) {}

    /**
     * What was given up.
     *
     * @param aside names under which damaged and later files are kept; empty when nothing had to be done
     * @param lastLsn last position of the log that is left
     */
    public record Repair(List<String> aside, long lastLsn) {}

    private static final String ASIDE = ".aside-";

    private final Disk disk;

    private JournalDoctor(Disk disk) {
        this.disk = disk;
    }

    /** Reads every segment and snapshot in a directory and changes nothing. */
    public static List<Finding> inspect(Path directory) throws IOException {
        return inspect(FileDisk.unlocked(directory));
    }

    /** Reads every segment and snapshot on a disk and changes nothing. */
    public static List<Finding> inspect(Disk disk) throws IOException {
        return new JournalDoctor(disk).look();
    }

    /**
     * Cuts the log at its first damaged byte, after copying the damaged file and setting later ones aside. Everything
     * behind that byte is lost to the log; a healthy log stays as it is. May be repeated after a crash.
     *
     * @throws DirectoryLocked when a journal has the directory open
     * @throws JournalIncompatible when a file is of another version or place, which cutting cannot heal
     */
    public static Repair repair(Path directory) throws IOException {
        try (FileDisk disk = FileDisk.open(directory)) {
            return repair(disk);
        }
    }

    /** Like {@link #repair(Path)}, on a disk that the caller holds alone. */
    public static Repair repair(Disk disk) throws IOException {
        return new JournalDoctor(disk).cut();
    }

    private List<String> segmentNames() throws IOException {
        return disk.list().stream()
                .filter(name -> name.endsWith(Segment.SUFFIX))
                .toList();
    }

    private List<Finding> look() throws IOException {
        List<Finding> findings = new ArrayList<>();
        List<String> names = segmentNames();
        long directoryId = 0;
        for (int i = 0; i < names.size(); i++) {
            String next = i + 1 < names.size() ? names.get(i + 1) : null;
            findings.add(segment(names.get(i), next));
            directoryId = directoryId == 0 ? directoryId(names.get(i)) : directoryId;
        }
        for (String name : disk.list()) {
            if (name.endsWith(FileSnapshots.SUFFIX)) {
                findings.add(snapshot(name, FileSnapshots.read(disk, directoryId, name)));
            }
        }
        return findings;
    }

    private long directoryId(String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            return SegmentHeader.read(name, file).directoryId();
        } catch (JournalCorrupt | JournalIncompatible e) {
            return 0;
        }
    }

    private static Finding snapshot(String name, @Nullable Snapshot snapshot) {
        return snapshot == null
                ? new Finding(name, Kind.UNUSABLE_SNAPSHOT, 0, 0, 0, 0, "damaged, or of another log")
                : new Finding(name, Kind.SNAPSHOT, 0, 0, snapshot.lsn(), 0, snapshot.bytes().length + " bytes");
    }

    private Finding segment(String name, @Nullable String next) throws IOException {
        SegmentScan scan;
        try {
            scan = SegmentScan.of(disk, name);
        } catch (JournalCorrupt e) {
            return new Finding(name, Kind.DAMAGED, 0, 0, 0, 0, e.reason());
        } catch (JournalIncompatible e) {
            return new Finding(name, Kind.INCOMPATIBLE, 0, 0, 0, 0, e.reason());
        }
        if (!scan.segment().name().equals(name)) {
            return finding(
                    name,
                    Kind.INCOMPATIBLE,
                    scan,
                    "its header belongs to " + scan.segment().name());
        }
        long later = later(name, scan);
        if (later >= 0) {
            return finding(name, Kind.DAMAGED, scan, scan.reason() + "; valid frames go on at offset " + later);
        }
        if (next != null && !scan.blank()) {
            return finding(name, Kind.DAMAGED, scan, scan.reason());
        }
        if (next != null && !next.equals(Segment.fileName(scan.lastLsn() + 1))) {
            return finding(name, Kind.DAMAGED, scan, "it ends with position " + scan.lastLsn() + ", then " + next);
        }
        if (scan.tornBytes() > 0) {
            return finding(name, Kind.TORN_TAIL, scan, scan.tornBytes() + " bytes of an unfinished batch");
        }
        return finding(name, Kind.SEGMENT, scan, scan.marked() ? "ends with a mark" : "ends without a mark");
    }

    private long later(String name, SegmentScan scan) throws IOException {
        try (DiskFile file = disk.open(name)) {
            return scan.laterBatch(file);
        }
    }

    private static Finding finding(String name, Kind kind, SegmentScan scan, String text) {
        long first = scan.segment().firstLsn();
        return new Finding(name, kind, scan.frames(), first, scan.lastLsn(), scan.end(), text);
    }

    private Repair cut() throws IOException {
        List<Finding> findings = look();
        List<String> names = segmentNames();
        Finding damaged = null;
        for (Finding finding : findings) {
            if (finding.kind == Kind.INCOMPATIBLE) {
                throw new JournalIncompatible(finding.file, finding.text);
            }
            if (finding.kind == Kind.DAMAGED && damaged == null) {
                damaged = finding;
            }
        }
        List<String> aside = new ArrayList<>();
        if (damaged != null) {
            for (String later : names.reversed()) {
                if (later.compareTo(damaged.file) > 0) {
                    aside.add(setAside(later));
                }
            }
            if (damaged.offset == 0) {
                aside.add(setAside(damaged.file));
            } else {
                aside.add(copyAside(damaged.file));
                shorten(damaged.file, damaged.offset);
            }
        }
        long last = setSnapshotsAside(aside);
        if (damaged != null) {
            Chain.open(disk).add(Chain.Kind.REPAIRED, last + 1, last + 1, 0, new byte[FileHash.SIZE]);
        }
        return new Repair(List.copyOf(aside), last);
    }

    /**
     * Without any segment left, or ahead of the last one, a snapshot would be taken for one of the log that follows.
     */
    private long setSnapshotsAside(List<String> aside) throws IOException {
        List<String> left = segmentNames();
        long last = left.isEmpty() ? 0 : SegmentScan.of(disk, left.getLast()).lastLsn();
        for (String name : disk.list()) {
            if (name.endsWith(FileSnapshots.SUFFIX) && (left.isEmpty() || FileSnapshots.lsnOf(name) > last)) {
                aside.add(setAside(name));
            }
        }
        return last;
    }

    private String freeName(String name) throws IOException {
        List<String> taken = disk.list();
        int number = 1;
        while (taken.contains(name + ASIDE + number)) {
            number++;
        }
        return name + ASIDE + number;
    }

    private String setAside(String name) throws IOException {
        String free = freeName(name);
        disk.rename(name, free);
        disk.forceDirectory();
        return free;
    }

    private String copyAside(String name) throws IOException {
        String free = freeName(name);
        try (DiskFile source = disk.open(name);
                DiskFile copy = disk.create(free)) {
            SegmentFiles.copy(source, copy, 0, source.size());
            copy.force();
        }
        disk.forceDirectory();
        return free;
    }

    private void shorten(String name, long end) throws IOException {
        String temporary = "repair" + Segment.TEMPORARY_SUFFIX;
        if (disk.list().contains(temporary)) {
            disk.delete(temporary);
            disk.forceDirectory();
        }
        try (DiskFile source = disk.open(name)) {
            Spares.Spare fresh = Spares.allocate(disk, "repair", source.size());
            try (DiskFile target = fresh.file()) {
                SegmentFiles.copy(source, target, 0, end);
                target.force();
            }
        }
        disk.rename(temporary, name);
        disk.forceDirectory();
    }
}
