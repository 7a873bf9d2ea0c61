package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The hash of a whole file in two steps: SHA-256 of each block of 64 KiB, and SHA-256 over those. The first step is
 * kept beside a segment, so that a difference can be told by its place.
 *
 * @param bytes size of the file
 * @param blocks hashes of its blocks, one after the other
 */
record FileHash(long bytes, byte[] blocks) {

    /** Bytes whose hash is known by itself. */
    static final int BLOCK = 64 << 10;

    static final int SIZE = 32;

    /** Hashes a file up to {@code limit} bytes. */
    static FileHash of(Disk disk, String name, long limit) throws IOException {
        try (DiskFile file = disk.open(name)) {
            long bytes = Math.min(limit, file.size());
            MessageDigest digest = digest();
            ByteBuffer block = ByteBuffer.allocate(BLOCK);
            byte[] blocks = new byte[Math.toIntExact((bytes + BLOCK - 1) / BLOCK) * SIZE];
            int count = 0;
            for (long at = 0; at < bytes; at += BLOCK) {
                block.clear().limit((int) Math.min(BLOCK, bytes - at));
                while (block.hasRemaining() && file.read(at + block.position(), block) > 0) {
                    // a read may return less than was asked for
                }
                if (block.hasRemaining()) {
                    throw new IOException(name + " ended while it was read");
                }
                digest.update(block.flip());
                System.arraycopy(digest.digest(), 0, blocks, count, SIZE);
                count += SIZE;
            }
            return new FileHash(bytes, blocks);
        }
    }

    /** The hash of the file. */
    byte[] whole() {
        return sha256(blocks);
    }

    /** Offset of the first block that is another one in {@code other}, or of the end of the shorter file. */
    long firstDifference(byte[] other) {
        int at = Arrays.mismatch(blocks, other);
        return at < 0 ? bytes : (long) (at / SIZE) * BLOCK;
    }

    static byte[] sha256(byte[] bytes) {
        return digest().digest(bytes);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
