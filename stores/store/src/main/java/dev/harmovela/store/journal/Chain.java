package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hash chain over everything a log has finished: one line for each segment that was sealed, for each one that was
 * archived and for what was let go on purpose, each naming the hash of the line before.
 *
 * <p>Lines are only added, each forced before the next, in a file whose room is allocated ahead, so that a full disk
 * does not end it. A crash can leave the last line unfinished, never a wrong one: whoever finds a whole line that does
 * not follow has found a change made by somebody else. Thread-safe.
 */
final class Chain {

    /** What a line is about. */
    enum Kind {
        /** A segment got its last frame. */
        SEALED,
        /** A segment left the log and its headers are kept in an archive file. */
        ARCHIVED,
        /** Everything up to a position was let go: past its time, or without room to keep it. */
        DROPPED,
        /** A damaged log was cut behind a position; what was sealed there before no longer counts. */
        REPAIRED,
        /** Lines before this one were let go; its head is theirs. */
        BASE;

        char letter() {
            return name().charAt(0);
        }
    }

    /**
     * One line.
     *
     * @param firstLsn first position it speaks of
     * @param lastLsn last position it speaks of
     * @param bytes size of the file it speaks of, 0 without one
     * @param digest hash of that file (see {@link FileHash}), or zeros
     * @param head hash of everything up to and including this line
     */
    record Line(Kind kind, long firstLsn, long lastLsn, long bytes, String digest, String head) {

        /** Whether the head is what this line has to have behind {@code before}. */
        boolean follows(String before) {
            return kind == Kind.BASE || head.equals(headOf(before));
        }

        private String headOf(String before) {
            return FileHash.hex(FileHash.sha256((before + ' ' + text()).getBytes(StandardCharsets.US_ASCII)));
        }

        private String text() {
            return String.format(
                    Locale.ROOT, "%c %020d %020d %012d %s", kind.letter(), firstLsn, lastLsn, bytes, digest);
        }
    }

    /**
     * The file as it stands.
     *
     * @param lines all that can be read, oldest first
     * @param strangeAt offset of the first thing that is no line, -1 without one
     * @param end offset behind the last line
     */
    record Content(List<Line> lines, long strangeAt, long end) {

        String head() {
            return lines.isEmpty() ? GENESIS : lines.getLast().head();
        }
    }

    static final String FILE = "chain.sha256";

    /** Head of a chain without lines. */
    static final String GENESIS = "0".repeat(64);

    static final int LINE = 1 + 1 + 20 + 1 + 20 + 1 + 12 + 1 + 64 + 1 + 64 + 1;

    private static final int ROOM = 64 << 10;
    private static final int MOST_LINES = 50_000;

    private final Disk disk;
    private List<Line> lines;
    private long end;
    private boolean exists;

    private Chain(Disk disk, Content content) {
        this.disk = disk;
        this.lines = new ArrayList<>(content.lines());
        this.end = content.end();
    }

    /** The chain of a log that is being opened. */
    static Chain open(Disk disk) throws IOException {
        Content content = read(disk);
        Chain chain = new Chain(disk, content);
        chain.exists = disk.list().contains(FILE);
        if (!chain.exists) {
            chain.createIfRoom();
        }
        if (content.lines().size() > MOST_LINES && content.strangeAt() < 0) {
            chain.shorten(MOST_LINES / 2);
        }
        return chain;
    }

    /** Reads the lines as they stand, without judging whether they follow each other. */
    static Content read(Disk disk) throws IOException {
        List<Line> lines = new ArrayList<>();
        long strange = -1;
        long end = 0;
        if (!disk.list().contains(FILE)) {
            return new Content(lines, strange, end);
        }
        try (DiskFile file = disk.open(FILE)) {
            byte[] bytes = new byte[LINE];
            long passed = -1;
            for (long at = 0; SegmentFiles.fill(file, at, bytes); at += LINE) {
                Line line = parse(bytes);
                if (line != null) {
                    strange = strange < 0 ? passed : strange;
                    lines.add(line);
                    end = at + LINE;
                } else if (hasGap(bytes)) {
                    // unfinished, if nothing follows
                    passed = passed < 0 ? at : passed;
                } else {
                    strange = strange < 0 ? at : strange;
                    end = at + LINE;
                }
            }
        }
        return new Content(lines, strange, end);
    }

    /** A line that a crash interrupted has gaps of zeros. */
    private static boolean hasGap(byte[] line) {
        for (byte one : line) {
            if (one == 0) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Line parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        if (!text.matches("[SADRB] \\d{20} \\d{20} \\d{12} [0-9a-f]{64} [0-9a-f]{64}\n")) {
            return null;
        }
        String[] parts = text.strip().split(" ");
        Kind kind = switch (parts[0].charAt(0)) {
            case 'S' -> Kind.SEALED;
            case 'A' -> Kind.ARCHIVED;
            case 'D' -> Kind.DROPPED;
            case 'R' -> Kind.REPAIRED;
            default -> Kind.BASE;
        };
        return new Line(kind, number(parts[1]), number(parts[2]), number(parts[3]), parts[4], parts[5]);
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Lines as they are now, oldest first. */
    synchronized List<Line> lines() {
        return List.copyOf(lines);
    }

    /** Last position that lies in a sealed segment this chain knows, 0 without one; a cut takes it back. */
    synchronized long sealedLsn() {
        long sealed = 0;
        for (Line line : lines) {
            switch (line.kind()) {
                case SEALED -> sealed = Math.max(sealed, line.lastLsn());
                case REPAIRED -> sealed = Math.min(sealed, line.firstLsn() - 1);
                case BASE -> sealed = Math.max(sealed, line.lastLsn());
                case ARCHIVED, DROPPED -> {
                    // they speak of what was sealed before
                }
            }
        }
        return sealed;
    }

    /** Whether there is a line of that kind for the segment that begins at {@code firstLsn}. */
    synchronized boolean has(Kind kind, long firstLsn) {
        return lines.stream().anyMatch(line -> line.kind() == kind && line.firstLsn() == firstLsn);
    }

    /** Adds a line; durable on return. */
    synchronized void add(Kind kind, long firstLsn, long lastLsn, long bytes, byte[] digest) throws IOException {
        String before = lines.isEmpty() ? GENESIS : lines.getLast().head();
        String hex = HexFormat.of().formatHex(digest);
        Line open = new Line(kind, firstLsn, lastLsn, bytes, hex, "");
        Line line = new Line(kind, firstLsn, lastLsn, bytes, hex, open.headOf(before));
        if (!exists) {
            create();
        }
        try (DiskFile file = disk.open(FILE)) {
            file.write(end, ByteBuffer.wrap(encode(line)));
            file.force();
            lines.add(line);
            end += LINE;
            makeRoom(file);
        }
    }

    private void createIfRoom() {
        try {
            create();
        } catch (IOException full) {
            // the first line tries again
        }
    }

    private void create() throws IOException {
        Spares.Spare fresh = Spares.allocate(disk, "chain", ROOM);
        fresh.file().close();
        disk.rename(fresh.name(), FILE);
        disk.forceDirectory();
        exists = true;
    }

    /** Allocates ahead of need, so that lines can still be added while the disk is full. */
    private void makeRoom(DiskFile file) {
        try {
            if (file.size() - end < ROOM / 2) {
                SegmentFiles.blank(file, file.size(), file.size() + ROOM);
                file.force();
            }
        } catch (IOException full) {
            // what is left lasts for many lines; the next one tries again
        }
    }

    private static byte[] encode(Line line) {
        return (line.text() + ' ' + line.head() + '\n').getBytes(StandardCharsets.US_ASCII);
    }

    /** Lets the oldest lines go; the first one kept names their head. */
    private synchronized void shorten(int keep) throws IOException {
        int dropped = lines.size() - keep;
        Line last = lines.get(dropped - 1);
        long sealed = 0;
        for (Line line : lines.subList(0, dropped)) {
            sealed = line.kind() == Kind.SEALED ? Math.max(sealed, line.lastLsn()) : sealed;
        }
        List<Line> kept = new ArrayList<>();
        kept.add(new Line(Kind.BASE, 1, sealed, 0, GENESIS, last.head()));
        kept.addAll(lines.subList(dropped, lines.size()));
        Spares.Spare fresh = Spares.allocate(disk, "chain", (long) kept.size() * LINE + ROOM);
        try (DiskFile file = fresh.file()) {
            ByteBuffer bytes = ByteBuffer.allocate(kept.size() * LINE);
            kept.forEach(line -> bytes.put(encode(line)));
            file.write(0, bytes.flip());
            file.force();
        }
        disk.rename(fresh.name(), FILE);
        disk.forceDirectory();
        lines = kept;
        end = (long) kept.size() * LINE;
    }
}
