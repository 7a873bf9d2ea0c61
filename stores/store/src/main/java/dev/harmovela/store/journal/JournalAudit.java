package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a log is what it was when its segments were finished, beside a hub that runs or without one. Reads
 * everything and changes nothing.
 */
public final class JournalAudit {

    /**
     * The first thing that is not as it was.
     *
     * @param offset where in the file; 0 also when the file is missing
     */
    public record Difference(String file, long offset, String text) {}

    /**
     * What was found.
     *
     * @param differences what is wrong; empty when everything holds
     * @param notes what was given up on purpose and what cannot be known, for people
     * @param segments finished segments that were compared
     * @param archives files with the headers of older segments that were compared
     * @param firstLsn oldest position that could be compared, 0 when nothing is finished yet
     * @param sealedLsn newest position that could be compared
     * @param lastLsn newest position of the log
     * @param head what to keep outside, see {@link #head}
     */
    public record Report(
            List<Difference> differences,
            List<String> notes,
            int segments,
            int archives,
            long firstLsn,
            long sealedLsn,
            long lastLsn,
            String head) {

        public boolean holds() {
            return differences.isEmpty();
        }
    }

    private static final String NO_ANCHOR = "it is no head of an audit";

    private final Disk disk;
    private final List<Difference> differences = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Chain.Content chain = new Chain.Content(List.of(), -1, 0);
    private int segments;
    private int archives;
    private long firstLsn;

    private JournalAudit(Disk disk) {
        this.disk = disk;
    }

    /**
     * Compares every finished segment and archive in a directory with the chain.
     *
     * @param anchor a head that was kept outside and must be a beginning of this log, or null
     */
    public static Report verify(Path directory, @Nullable String anchor) throws IOException {
        return verify(FileDisk.unlocked(directory), anchor);
    }

    /** Like {@link #verify(Path, String)}, on a disk. */
    public static Report verify(Disk disk, @Nullable String anchor) throws IOException {
        return new JournalAudit(disk).run(anchor);
    }

    /**
     * Everything this log holds now, in one word: the head of the chain and, after a colon each, first position,
     * length and hash of what the open segment holds for certain.
     */
    public static String head(Path directory) throws IOException {
        return head(FileDisk.unlocked(directory));
    }

    /** Like {@link #head(Path)}, on a disk. */
    public static String head(Disk disk) throws IOException {
        JournalAudit audit = new JournalAudit(disk);
        audit.chain = Chain.read(disk);
        return audit.headNow();
    }

    private Report run(@Nullable String anchor) throws IOException {
        chain = Chain.read(disk);
        checkLines();
        long sealed = 0;
        for (int i = 0; i < chain.lines().size(); i++) {
            Chain.Line line = chain.lines().get(i);
            switch (line.kind()) {
                case SEALED -> {
                    sealed = Math.max(sealed, line.lastLsn());
                    checkSegment(i, line);
                }
                case ARCHIVED -> checkArchive(i, line);
                case DROPPED -> dropped(line);
                case REPAIRED -> {
                    sealed = Math.min(sealed, line.firstLsn() - 1);
                    notes.add("the log was cut in front of position " + line.firstLsn()
                            + " by harmovela doctor --repair");
                }
                case BASE -> sealed = Math.max(sealed, line.lastLsn());
            }
        }
        long last = checkRest(sealed);
        if (anchor != null) {
            checkAnchor(anchor);
        }
        return new Report(
                List.copyOf(differences), List.copyOf(notes), segments, archives, firstLsn, sealed, last, headNow());
    }

    private void dropped(Chain.Line line) {
        notes.add("positions " + line.firstLsn() + " to " + line.lastLsn() + " were let go");
    }

    private void differ(String file, long offset, String text) {
        differences.add(new Difference(file, offset, text));
    }

    private void checkLines() {
        if (chain.strangeAt() >= 0) {
            differ(Chain.FILE, chain.strangeAt(), "this is no line of the chain");
        }
        String before = Chain.GENESIS;
        for (int i = 0; i < chain.lines().size(); i++) {
            Chain.Line line = chain.lines().get(i);
            boolean base = line.kind() == Chain.Kind.BASE;
            if (base ? i > 0 : !line.follows(before)) {
                differ(Chain.FILE, (long) i * Chain.LINE, "this line does not follow from the one before");
                return;
            }
            before = line.head();
        }
    }

    // --- files

    /** Whether a later line says that what {@code line} speaks of is no longer there. */
    private boolean isOver(int index, Chain.Line line) {
        return chain.lines().subList(index + 1, chain.lines().size()).stream().anyMatch(later -> switch (later.kind()) {
            case ARCHIVED -> line.kind() == Chain.Kind.SEALED && later.firstLsn() == line.firstLsn();
            case DROPPED -> later.firstLsn() <= line.firstLsn() && later.lastLsn() >= line.lastLsn();
            case REPAIRED -> line.lastLsn() >= later.firstLsn();
            case SEALED, BASE -> false;
        });
    }

    private boolean isThere(String name) throws IOException {
        return disk.list().contains(name);
    }

    private void checkSegment(int index, Chain.Line line) throws IOException {
        String name = Segment.fileName(line.firstLsn());
        if (isOver(index, line) && (!isThere(name) || isCut(index, line))) {
            return;
        }
        FileHash hash = hashOf(index, line, name);
        if (hash == null) {
            return;
        }
        segments++;
        firstLsn = firstLsn == 0 ? line.firstLsn() : firstLsn;
        if (!FileHash.hex(hash.whole()).equals(line.digest()) || hash.bytes() != line.bytes()) {
            differ(name, placeOf(name, line, hash), "this is not what the segment held when it was finished");
        }
    }

    private boolean isCut(int index, Chain.Line line) {
        return chain.lines().subList(index + 1, chain.lines().size()).stream()
                .anyMatch(later -> later.kind() == Chain.Kind.REPAIRED && line.lastLsn() >= later.firstLsn());
    }

    private void checkArchive(int index, Chain.Line line) throws IOException {
        String name = Archive.fileName(line.firstLsn());
        if (isOver(index, line) && !isThere(name)) {
            return;
        }
        FileHash hash = hashOf(index, line, name);
        if (hash == null) {
            return;
        }
        archives++;
        firstLsn = firstLsn == 0 ? line.firstLsn() : Math.min(firstLsn, line.firstLsn());
        if (!FileHash.hex(hash.whole()).equals(line.digest()) || hash.bytes() != line.bytes()) {
            differ(name, badFrame(name), "this is not what was kept when the segment left the log");
        }
    }

    /** The hash of a file as it is now; null, with a difference unless a hub has just let it go, when it is missing. */
    private @Nullable FileHash hashOf(int index, Chain.Line line, String name) throws IOException {
        try {
            if (isThere(name)) {
                return FileHash.of(disk, name, Long.MAX_VALUE);
            }
        } catch (IOException gone) {
            if (isThere(name)) {
                throw gone;
            }
        }
        Chain.Content newer = Chain.read(disk);
        if (newer.lines().size() > chain.lines().size()) {
            chain = newer;
        }
        if (!isOver(index, line)) {
            differ(name, 0, "the file is missing: it held positions " + line.firstLsn() + " to " + line.lastLsn());
        }
        return null;
    }

    /** The most exact place that can be told: a frame that does not hold, else a block with another hash. */
    private long placeOf(String name, Chain.Line line, FileHash now) throws IOException {
        byte[] then = new byte[0];
        String hashes = Segment.hashName(name);
        if (isThere(hashes)) {
            try (DiskFile file = disk.open(hashes)) {
                then = new byte[Math.toIntExact(Math.min(file.size(), 1L << 20))];
                SegmentFiles.fill(file, 0, then);
            }
        }
        if (!FileHash.hex(FileHash.sha256(then)).equals(line.digest())) {
            return badFrame(name);
        }
        long block = now.firstDifference(then);
        long frame = badFrame(name);
        return frame >= block && frame < block + FileHash.BLOCK ? frame : block;
    }

    /** Offset of the first thing in a segment that is no valid frame; 0 when all hold. */
    private long badFrame(String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            SegmentHeader header = SegmentHeader.read(name, file);
            FrameReader reader = new FrameReader(file, header.salt(), SegmentHeader.BYTES, file.size());
            FrameReader.Status status = reader.next();
            while (status == FrameReader.Status.FRAME) {
                status = reader.next();
            }
            return status == FrameReader.Status.BAD ? reader.offset() : 0;
        } catch (JournalCorrupt | JournalIncompatible e) {
            return 0;
        }
    }

    // --- what is not finished yet

    private List<String> segmentNames() throws IOException {
        return disk.list().stream()
                .filter(name -> name.endsWith(Segment.SUFFIX))
                .toList();
    }

    /** Looks at what no line speaks of yet: it must go on where the chain ends. Returns the last position. */
    private long checkRest(long sealed) throws IOException {
        List<String> rest = segmentNames().stream()
                .filter(name -> name.compareTo(Segment.fileName(sealed + 1)) >= 0)
                .toList();
        if (rest.isEmpty() || !rest.getFirst().equals(Segment.fileName(sealed + 1))) {
            if (sealed > 0 || !rest.isEmpty()) {
                differ(Segment.fileName(sealed + 1), 0, "the segment that follows position " + sealed + " is missing");
            }
            return sealed;
        }
        long last = sealed;
        for (String name : rest) {
            try {
                last = SegmentScan.of(disk, name).lastLsn();
            } catch (JournalCorrupt | JournalIncompatible e) {
                differ(name, 0, String.valueOf(e.getMessage()));
            }
        }
        if (rest.size() > 1) {
            notes.add((rest.size() - 1) + " finished segments are not in the chain yet; the hub adds them");
        }
        return last;
    }

    // --- heads and anchors

    private String headNow() throws IOException {
        List<String> names = segmentNames();
        if (names.isEmpty()) {
            return chain.head();
        }
        String open = names.getLast();
        long certain = certainBytes(open);
        return certain <= 0
                ? chain.head()
                : chain.head() + ':' + firstLsnOf(open) + ':' + certain + ':' + prefix(open, certain);
    }

    private static long firstLsnOf(String segment) {
        return Long.parseLong(segment.substring(0, segment.length() - Segment.SUFFIX.length()));
    }

    private String prefix(String name, long bytes) throws IOException {
        return FileHash.hex(FileHash.of(disk, name, bytes).whole());
    }

    /** Bytes of the open segment that no crash takes back: all batches but the last, which may still be written. */
    private long certainBytes(String name) throws IOException {
        try (DiskFile file = disk.open(name)) {
            SegmentHeader header = SegmentHeader.read(name, file);
            FrameReader reader = new FrameReader(file, header.salt(), SegmentHeader.BYTES, file.size());
            long batch = -1;
            long begins = 0;
            while (reader.next() == FrameReader.Status.FRAME) {
                if (reader.batch() != batch) {
                    batch = reader.batch();
                    begins = reader.offset();
                }
            }
            return begins;
        } catch (JournalCorrupt | JournalIncompatible e) {
            return 0;
        }
    }

    private void checkAnchor(String anchor) throws IOException {
        String[] parts = anchor.strip().split(":");
        if ((parts.length != 1 && parts.length != 4) || !parts[0].matches("[0-9a-f]{64}")) {
            differ(Chain.FILE, 0, NO_ANCHOR);
            return;
        }
        boolean known = parts[0].equals(Chain.GENESIS)
                || chain.lines().stream().anyMatch(line -> line.head().equals(parts[0]));
        if (!known) {
            boolean shortened =
                    !chain.lines().isEmpty() && chain.lines().getFirst().kind() == Chain.Kind.BASE;
            differ(
                    Chain.FILE,
                    0,
                    shortened
                            ? "the anchored head is not in the chain, whose oldest lines were let go"
                            : "the anchored head is not in the chain: this log has another past");
        } else if (parts.length == 4) {
            checkPrefix(parts);
        }
    }

    private void checkPrefix(String[] parts) throws IOException {
        try {
            String name = Segment.fileName(Long.parseLong(parts[1]));
            long bytes = Long.parseLong(parts[2]);
            if (!isThere(name)) {
                boolean gone = chain.lines().stream()
                        .anyMatch(line -> line.kind() == Chain.Kind.SEALED
                                && Segment.fileName(line.firstLsn()).equals(name));
                if (gone) {
                    notes.add("the segment that was open when the anchor was made has left the log since");
                } else {
                    differ(name, 0, "the segment that was open when the anchor was made is missing");
                }
            } else if (!prefix(name, bytes).equals(parts[3])) {
                differ(name, 0, "the first " + bytes + " bytes are not what they were when the anchor was made");
            }
        } catch (NumberFormatException e) {
            differ(Chain.FILE, 0, NO_ANCHOR);
        }
    }
}
