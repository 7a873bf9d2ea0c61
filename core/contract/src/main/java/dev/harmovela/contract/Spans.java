package dev.harmovela.contract;

/**
 * Where the routed fields of an event stand in its bytes, packed: a mask of the fields that are there, then two
 * numbers for each of them in order, start and length doubled plus one when the text has escapes.
 */
final class Spans {

    private Spans() {}

    static int[] of(int mask) {
        int[] spans = new int[1 + 2 * Integer.bitCount(mask)];
        spans[0] = mask;
        return spans;
    }

    /** Place of the field's start in {@code spans}, or -1 when it is absent. */
    static int place(int[] spans, Field field) {
        int bit = 1 << field.ordinal();
        return (spans[0] & bit) == 0 ? -1 : 1 + 2 * Integer.bitCount(spans[0] & (bit - 1));
    }

    static void set(int[] spans, int place, int from, int length, boolean escaped) {
        spans[place] = from;
        spans[place + 1] = length << 1 | (escaped ? 1 : 0);
    }

    static int from(int[] spans, int place) {
        return spans[place];
    }

    static int length(int[] spans, int place) {
        return spans[place + 1] >>> 1;
    }

    static boolean escaped(int[] spans, int place) {
        return (spans[place + 1] & 1) != 0;
    }

    static void write(Out out, int[] spans) {
        for (int number : spans) {
            out.varint(number);
        }
    }

    static int[] read(In in, int bytes) {
        int[] spans = of(in.count());
        for (int i = 1; i < spans.length; i++) {
            spans[i] = in.count();
        }
        for (int i = 1; i < spans.length; i += 2) {
            if ((long) from(spans, i) + length(spans, i) > bytes) {
                throw new IllegalArgumentException("field outside of its event");
            }
        }
        return spans;
    }
}
