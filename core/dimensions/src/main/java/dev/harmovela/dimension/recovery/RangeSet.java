package dev.harmovela.dimension.recovery;

import java.util.Arrays;
import java.util.Objects;

/**
 * A set of positive numbers kept as disjoint, ascending, closed ranges.
 *
 * <p>Made for settled sequence numbers: nearly always one range that grows at its end, so adding is O(1) there and
 * O(ranges) elsewhere. Not thread-safe.
 */
public final class RangeSet {

    private long[] bounds = new long[4];
    private int length;

    /** Number of ranges. */
    public int ranges() {
        return length / 2;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** First number of range {@code index}. */
    public long from(int index) {
        return bounds[2 * index];
    }

    /** Last number of range {@code index}. */
    public long to(int index) {
        return bounds[2 * index + 1];
    }

    /** How many numbers are in the set. */
    public long size() {
        long sum = 0;
        for (int i = 0; i < length; i += 2) {
            sum += bounds[i + 1] - bounds[i] + 1;
        }
        return sum;
    }

    /** How many numbers of the set are at or below {@code number}. */
    public long sizeUpTo(long number) {
        long sum = 0;
        for (int i = 0; i < length && bounds[i] <= number; i += 2) {
            sum += Math.min(bounds[i + 1], number) - bounds[i] + 1;
        }
        return sum;
    }

    public boolean contains(long number) {
        int at = rangeAtOrAfter(number);
        return at < length && bounds[at] <= number;
    }

    /** Adds {@code from..to}; returns how many of them were new. */
    public long add(long from, long to) {
        if (from > to) {
            throw new IllegalArgumentException("empty range " + from + ".." + to);
        }
        int first = rangeAtOrAfter(from - 1);
        int last = first;
        long low = from;
        long high = to;
        long known = 0;
        while (last < length && bounds[last] <= to + 1) {
            long overlapFrom = Math.max(from, bounds[last]);
            long overlapTo = Math.min(to, bounds[last + 1]);
            known += Math.max(0, overlapTo - overlapFrom + 1);
            low = Math.min(low, bounds[last]);
            high = Math.max(high, bounds[last + 1]);
            last += 2;
        }
        replace(first, last, low, high);
        return to - from + 1 - known;
    }

    /** Adds one number; returns whether it was new. */
    public boolean add(long number) {
        if (length > 0 && bounds[length - 1] + 1 == number) {
            bounds[length - 1] = number;
            return true;
        }
        return add(number, number) == 1;
    }

    /** Removes everything up to and including {@code number}. */
    public void removeUpTo(long number) {
        int keep = rangeAtOrAfter(number + 1);
        if (keep > 0) {
            System.arraycopy(bounds, keep, bounds, 0, length - keep);
            length -= keep;
        }
        if (length > 0 && bounds[0] <= number) {
            bounds[0] = number + 1;
        }
    }

    /** End of the range that begins at {@code number}, or {@code number - 1} when it is not in the set. */
    public long contiguousFrom(long number) {
        int at = rangeAtOrAfter(number);
        return at < length && bounds[at] <= number ? bounds[at + 1] : number - 1;
    }

    /** Takes one number out. */
    public void remove(long number) {
        int at = rangeAtOrAfter(number);
        if (at >= length || bounds[at] > number) {
            return;
        }
        long low = bounds[at];
        long high = bounds[at + 1];
        System.arraycopy(bounds, at + 2, bounds, at, length - at - 2);
        length -= 2;
        if (low < number) {
            add(low, number - 1);
        }
        if (number < high) {
            add(number + 1, high);
        }
    }

    /** First and last number of each range, one after the other. */
    public long[] pairs() {
        return Arrays.copyOf(bounds, length);
    }

    public void clear() {
        length = 0;
    }

    /** Index into {@code bounds} of the first range whose end is not before {@code number}. */
    private int rangeAtOrAfter(long number) {
        int low = 0;
        int high = length / 2;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bounds[2 * middle + 1] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return 2 * low;
    }

    private void replace(int first, int last, long low, long high) {
        int grow = 2 - (last - first);
        if (length + grow > bounds.length) {
            bounds = Arrays.copyOf(bounds, bounds.length * 2);
        }
        System.arraycopy(bounds, last, bounds, first + 2, length - last);
        bounds[first] = low;
        bounds[first + 1] = high;
        length += grow;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RangeSet that && Arrays.equals(bounds, 0, length, that.bounds, 0, that.length);
    }

    @Override
    public int hashCode() {
        return Objects.hash(length, length == 0 ? 0L : bounds[length - 1]);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < length; i += 2) {
            text.append(i == 0 ? "" : ", ").append(bounds[i]).append("..").append(bounds[i + 1]);
        }
        return text.append(']').toString();
    }
}
