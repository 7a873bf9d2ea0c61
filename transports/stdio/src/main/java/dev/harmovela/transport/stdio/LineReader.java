package dev.harmovela.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts a byte stream into lines that are not blank, holding no more of a line than one event may have. */
final class LineReader {

    /** What was read. */
    sealed interface Item {
        /** A line without its end. */
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record Line(byte[] bytes) implements Item {}

        /** A line that was longer than allowed, and how long it was. */
        record TooLong(long length) implements Item {}
    }

    private static final int CHUNK = 64 * 1024;

    private final InputStream in;
    private final int limit;
    private final byte[] chunk = new byte[CHUNK];
    private byte[] line = new byte[1024];
    /** Bytes of the current line so far; only the first {@code limit} and a possible carriage return are kept. */
    private long length;

    LineReader(InputStream in, int limit) {
        this.in = in;
        this.limit = limit;
    }

    /**
     * Blocks until at least one more line is complete, and returns all that are.
     *
     * @return an empty list at the end of the input
     */
    List<Item> next() throws IOException {
        List<Item> items = new ArrayList<>();
        while (items.isEmpty()) {
            int read = in.read(chunk);
            if (read < 0) {
                endLine(items);
                return items;
            }
            split(read, items);
        }
        return items;
    }

    private void split(int read, List<Item> items) {
        int from = 0;
        for (int i = 0; i < read; i++) {
            if (chunk[i] == '\n') {
                append(from, i);
                endLine(items);
                from = i + 1;
            }
        }
        append(from, read);
    }

    private void append(int from, int to) {
        int room = (int) Math.max(0, Math.min(to - from, limit + 1L - length));
        if (room > 0) {
            int kept = (int) length;
            if (kept + room > line.length) {
                line = Arrays.copyOf(line, Math.min(limit + 1, Math.max(kept + room, line.length * 2)));
            }
            System.arraycopy(chunk, from, line, kept, room);
        }
        length += to - from;
    }

    private void endLine(List<Item> items) {
        long whole = length;
        length = 0;
        if (whole > 0 && whole <= limit + 1L && line[(int) whole - 1] == '\r') {
            whole--;
        }
        if (whole > limit) {
            items.add(new Item.TooLong(whole));
            return;
        }
        for (int i = 0; i < whole; i++) {
            if (line[i] != ' ' && line[i] != '\t') {
                items.add(new Item.Line(Arrays.copyOf(line, (int) whole)));
                return;
            }
        }
    }
}
