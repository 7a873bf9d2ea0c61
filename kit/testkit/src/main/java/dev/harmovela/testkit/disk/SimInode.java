package dev.harmovela.testkit.disk;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/**
 * The content of one simulated file: what a reader sees and what lies on stable storage, per block.
 *
 * <p>A block is clean, dirty (written and not forced), or stranded: readable, not on stable storage, and no longer
 * known as dirty, as a kernel leaves it after a failed force.
 */
final class SimInode {

    private byte[] seen = new byte[0];
    private byte[] forced = new byte[0];
    private final BitSet dirty = new BitSet();
    private final BitSet stranded = new BitSet();

    int size() {
        return seen.length;
    }

    byte[] seen() {
        return seen;
    }

    void write(int position, byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        resize(Math.max(seen.length, position + bytes.length));
        System.arraycopy(bytes, 0, seen, position, bytes.length);
        int first = position / SimDisk.BLOCK;
        int behind = (position + bytes.length - 1) / SimDisk.BLOCK + 1;
        dirty.set(first, behind);
        stranded.clear(first, behind);
    }

    void resize(int size) {
        if (size < seen.length) {
            dirty.set(size / SimDisk.BLOCK, (seen.length - 1) / SimDisk.BLOCK + 1);
        }
        if (size != seen.length) {
            seen = Arrays.copyOf(seen, size);
        }
    }

    void force() {
        byte[] now = Arrays.copyOf(forced, seen.length);
        dirty.stream().forEach(block -> copyBlock(seen, now, block));
        forced = now;
        dirty.clear();
    }

    /** What was dirty stays readable, but no later force will write it. */
    void failForce() {
        stranded.or(dirty);
        dirty.clear();
    }

    int dirtyBlocks() {
        return dirty.cardinality();
    }

    /**
     * The file after the power came back.
     *
     * @param keep chance of an unforced block, or an unforced size, to have reached the platter
     * @param torn rank of the dirty block to tear, or -1
     */
    SimInode afterCrash(RandomGenerator random, double keep, int torn) {
        SimInode after = new SimInode();
        int size = forced.length != seen.length && random.nextDouble() < keep ? seen.length : forced.length;
        byte[] bytes = Arrays.copyOf(forced, size);
        int rank = 0;
        for (int block = dirty.nextSetBit(0); block >= 0; block = dirty.nextSetBit(block + 1)) {
            boolean kept = random.nextDouble() < keep;
            if (rank++ == torn) {
                tear(bytes, block, random);
            } else if (kept) {
                copyBlock(seen, bytes, block);
            }
        }
        after.seen = bytes;
        after.forced = bytes.clone();
        return after;
    }

    private void tear(byte[] target, int block, RandomGenerator random) {
        int start = block * SimDisk.BLOCK;
        int length = Math.min(Math.min(SimDisk.BLOCK, seen.length - start), target.length - start);
        if (length > 0) {
            int cut = random.nextInt(length + 1);
            boolean front = random.nextBoolean();
            System.arraycopy(
                    seen, front ? start : start + cut, target, front ? start : start + cut, front ? cut : length - cut);
        }
    }

    private static void copyBlock(byte[] from, byte[] to, int block) {
        int start = block * SimDisk.BLOCK;
        int length = Math.min(SimDisk.BLOCK, Math.min(from.length, to.length) - start);
        if (length > 0) {
            System.arraycopy(from, start, to, start, length);
        }
    }

    /** Damages one bit, wherever the byte lies. */
    void flip(int offset, int bit) {
        seen[offset] ^= (byte) (1 << bit);
        if (offset < forced.length) {
            forced[offset] ^= (byte) (1 << bit);
        }
    }

    SimInode copy() {
        SimInode copy = new SimInode();
        copy.seen = seen.clone();
        copy.forced = forced.clone();
        copy.dirty.or(dirty);
        copy.stranded.or(stranded);
        return copy;
    }
}
