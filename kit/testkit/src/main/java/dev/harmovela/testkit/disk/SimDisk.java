package dev.harmovela.testkit.disk;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that keeps apart what was written and what was forced.
 *
 * <p>{@link #crash()} gives the disk as it may be found when the power is back: any subset of the unforced blocks and
 * of the unforced creates, renames and deletes, and perhaps one torn block, all chosen by the seed. {@link #kill()}
 * gives the disk as the next process finds it: everything readable, nothing more forced than before. A step is a call
 * that changes or forces something; a crash between two steps cannot be told from one at the second. Thread-safe.
 */
public final class SimDisk implements Disk {

    /** Bytes that reach stable storage together, unless torn. */
    public static final int BLOCK = 4096;

    private enum Kind {
        CREATE,
        RENAME,
        DELETE
    }

    private record Change(Kind kind, String name, String to, SimInode inode) {}

    private static final double[] KEEP = {0, 0.2, 0.5, 0.9, 1};

    private final RandomGenerator random;
    private final TreeMap<String, SimInode> seen = new TreeMap<>();
    private final TreeMap<String, SimInode> forced = new TreeMap<>();
    private final List<Change> unforced = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private boolean ignoresForce;
    private boolean ignoresForceDirectory;
    private int calls;
    private int steps;
    private int writes;
    private int forces;
    private int crashAt;
    private int failingWrite;
    private int failingForce;
    private long capacity = Long.MAX_VALUE;
    private boolean down;

    public SimDisk(long seed) {
        this(new SplittableRandom(seed));
    }

    private SimDisk(RandomGenerator random) {
        this.random = random;
    }

    /** Sabotage: forcing a file does nothing. A proof that passes on such a disk proves nothing. */
    public SimDisk ignoreForce() {
        ignoresForce = true;
        return this;
    }

    /** Sabotage: forcing the directory does nothing. */
    public SimDisk ignoreForceDirectory() {
        ignoresForceDirectory = true;
        return this;
    }

    /** Goes down at the {@code step}-th step from now (1 = the next one), which takes effect or not; 0 = never. */
    public SimDisk crashAtStep(int step) {
        crashAt = step == 0 ? 0 : steps + step;
        return this;
    }

    /** The {@code n}-th write from now fails after a part of it. */
    public SimDisk failWrite(int n) {
        failingWrite = writes + n;
        return this;
    }

    /** The {@code n}-th force of a file from now fails, and what it should have forced never will be. */
    public SimDisk failForce(int n) {
        failingForce = forces + n;
        return this;
    }

    /** From now on files cannot grow beyond {@code bytes} together. */
    public SimDisk capacity(long bytes) {
        capacity = bytes;
        return this;
    }

    /** Damages one bit of a file for good. */
    public synchronized void flip(String name, long offset, int bit) throws IOException {
        require(name).flip((int) offset, bit);
    }

    /** Calls so far, reads included. */
    public synchronized int calls() {
        return calls;
    }

    /** Steps so far. */
    public synchronized int steps() {
        return steps;
    }

    /** Whether the crash has happened. */
    public synchronized boolean isDown() {
        return down;
    }

    /** Bytes of all files together. */
    public synchronized long used() {
        return seen.values().stream().mapToLong(SimInode::size).sum();
    }

    /** The steps so far, in words, for the report of a failed simulation. */
    public synchronized List<String> trace() {
        return List.copyOf(trace);
    }

    /** The disk after a power cut; this one is down. */
    public synchronized SimDisk crash() {
        down = true;
        SimDisk after = next();
        double keepBlocks = KEEP[random.nextInt(KEEP.length)];
        double keepNames = KEEP[random.nextInt(KEEP.length)];
        TreeMap<String, SimInode> names = new TreeMap<>(forced);
        for (Change change : unforced) {
            if (random.nextDouble() < keepNames) {
                apply(change, names);
            }
        }
        int dirty = names.values().stream().mapToInt(SimInode::dirtyBlocks).sum();
        int torn = dirty > 0 && random.nextBoolean() ? random.nextInt(dirty) : -1;
        Map<SimInode, SimInode> files = new IdentityHashMap<>();
        for (Map.Entry<String, SimInode> entry : names.entrySet()) {
            SimInode before = entry.getValue();
            SimInode file = files.get(before);
            if (file == null) {
                file = before.afterCrash(random, keepBlocks, torn);
                files.put(before, file);
            }
            torn -= before.dirtyBlocks();
            after.seen.put(entry.getKey(), file);
            after.forced.put(entry.getKey(), file);
        }
        return after;
    }

    /** The disk after the death of the process alone; this one is down. */
    public synchronized SimDisk kill() {
        down = true;
        return fill(next());
    }

    /** An independent copy. */
    public synchronized SimDisk copy() {
        return fill(new SimDisk(((SplittableRandom) random).split()));
    }

    private SimDisk next() {
        SimDisk after = new SimDisk(random);
        after.ignoresForce = ignoresForce;
        after.ignoresForceDirectory = ignoresForceDirectory;
        after.capacity = capacity;
        return after;
    }

    private SimDisk fill(SimDisk after) {
        Map<SimInode, SimInode> files = new HashMap<>();
        seen.forEach((name, file) -> after.seen.put(name, files.computeIfAbsent(file, SimInode::copy)));
        forced.forEach((name, file) -> after.forced.put(name, files.computeIfAbsent(file, SimInode::copy)));
        for (Change change : unforced) {
            SimInode file = files.computeIfAbsent(change.inode, SimInode::copy);
            after.unforced.add(new Change(change.kind, change.name, change.to, file));
        }
        return after;
    }

    private static void apply(Change change, Map<String, SimInode> names) {
        switch (change.kind) {
            case CREATE -> names.put(change.name, change.inode);
            case DELETE -> names.remove(change.name);
            case RENAME -> {
                names.remove(change.name);
                names.put(change.to, change.inode);
            }
        }
    }

    private void call() {
        if (down) {
            throw new SimCrash(steps);
        }
        calls++;
    }

    /** Counts a step; when it is the last one, {@code effect} happens or not before everything stops. */
    private void step(String what, Runnable effect) {
        call();
        steps++;
        trace.add(what);
        if (steps == crashAt) {
            if (random.nextBoolean()) {
                effect.run();
            }
            down = true;
            throw new SimCrash(steps);
        }
    }

    private SimInode require(String name) throws NoSuchFileException {
        SimInode file = seen.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    private void change(Change change) {
        apply(change, seen);
        unforced.add(change);
    }

    @Override
    public synchronized List<String> list() {
        call();
        return List.copyOf(seen.keySet());
    }

    @Override
    public synchronized DiskFile create(String name) throws IOException {
        if (seen.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        Change create = new Change(Kind.CREATE, name, "", new SimInode());
        step("create " + name, () -> change(create));
        change(create);
        return new File(name, create.inode);
    }

    @Override
    public synchronized DiskFile open(String name) throws IOException {
        call();
        return new File(name, require(name));
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        Change rename = new Change(Kind.RENAME, from, to, require(from));
        step("rename " + from + " to " + to, () -> change(rename));
        change(rename);
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        Change delete = new Change(Kind.DELETE, name, "", require(name));
        step("delete " + name, () -> change(delete));
        change(delete);
    }

    @Override
    public synchronized void forceDirectory() {
        step("force directory", this::settleNames);
        settleNames();
    }

    private void settleNames() {
        if (!ignoresForceDirectory) {
            forced.clear();
            forced.putAll(seen);
            unforced.clear();
        }
    }

    private final class File implements DiskFile {

        private final String name;
        private @Nullable SimInode inode;

        File(String name, SimInode inode) {
            this.name = name;
            this.inode = inode;
        }

        private SimInode inode() throws IOException {
            if (inode == null) {
                throw new IOException(name + " is closed");
            }
            return inode;
        }

        @Override
        public long size() throws IOException {
            synchronized (SimDisk.this) {
                call();
                return inode().size();
            }
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            synchronized (SimDisk.this) {
                call();
                SimInode file = inode();
                if (position >= file.size()) {
                    return -1;
                }
                int length = (int) Math.min(target.remaining(), file.size() - position);
                target.put(file.seen(), (int) position, length);
                return length;
            }
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            synchronized (SimDisk.this) {
                SimInode file = inode();
                byte[] bytes = new byte[source.remaining()];
                source.get(bytes);
                step("write " + name + " " + position + "+" + bytes.length, () -> file.write((int) position, bytes));
                if (++writes == failingWrite) {
                    file.write((int) position, java.util.Arrays.copyOf(bytes, bytes.length / 2));
                    throw new IOException("short write on " + name);
                }
                requireRoom(file, position + bytes.length);
                file.write((int) position, bytes);
            }
        }

        private void requireRoom(SimInode file, long end) throws IOException {
            if (end > file.size() && used() - file.size() + end > capacity) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (SimDisk.this) {
                SimInode file = inode();
                step("truncate " + name + " to " + size, () -> file.resize((int) size));
                requireRoom(file, size);
                file.resize((int) size);
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (SimDisk.this) {
                SimInode file = inode();
                Runnable effect = ignoresForce ? () -> {} : file::force;
                step("force " + name, effect);
                if (++forces == failingForce) {
                    file.failForce();
                    throw new IOException("force failed on " + name);
                }
                effect.run();
            }
        }

        @Override
        public void close() {
            inode = null;
        }
    }
}
