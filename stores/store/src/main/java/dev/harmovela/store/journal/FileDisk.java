package dev.harmovela.store.journal;

import dev.harmovela.spi.Disk;
import dev.harmovela.spi.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the file system as a {@link Disk}, held exclusively through a lock on its file {@code lock}.
 * Thread-safe.
 */
public final class FileDisk implements Disk, AutoCloseable {

    /** Name of the file whose lock says that the directory is in use. */
    static final String LOCK = "lock";

    private static final boolean FORCES_DIRECTORIES =
            !System.getProperty("os.name", "").startsWith("Windows");

    /**
     * Directories this process holds. The lock itself cannot tell: closing any channel of the lock file, even one
     * opened only to find it locked, gives up the lock of the whole process.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final @Nullable FileChannel lock;

    private FileDisk(Path directory, @Nullable FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Opens a directory, creating it when missing.
     *
     * @throws DirectoryLocked when it is open already
     */
    public static FileDisk open(Path directory) throws IOException {
        createForced(directory.toAbsolutePath());
        if (!HELD.add(directory.toRealPath())) {
            throw new DirectoryLocked(directory, ProcessHandle.current().pid());
        }
        try {
            return new FileDisk(directory, lock(directory));
        } catch (IOException | RuntimeException e) {
            HELD.remove(directory.toRealPath());
            throw e;
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        Path file = directory.resolve(LOCK);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new DirectoryLocked(directory, holder(channel));
            }
            byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(pid), 0);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    /** The directory without its lock, for looking only. */
    static FileDisk unlocked(Path directory) {
        return new FileDisk(directory, null);
    }

    private static void createForced(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Path parent = directory.getParent();
            if (parent != null) {
                createForced(parent);
            }
            Files.createDirectory(directory);
            if (parent != null) {
                forceDirectory(parent);
            }
        }
    }

    private static long holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(20);
        channel.read(text, 0);
        String digits = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : 0;
    }

    /** The directory itself. */
    public Path directory() {
        return directory;
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, Files::isRegularFile)) {
            for (Path file : files) {
                names.add(file.getFileName().toString());
            }
        }
        names.remove(LOCK);
        names.sort(null);
        return names;
    }

    @Override
    public DiskFile create(String name) throws IOException {
        return new ChannelFile(FileChannel.open(
                directory.resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public DiskFile open(String name) throws IOException {
        return new ChannelFile(
                FileChannel.open(directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(directory.resolve(name));
    }

    @Override
    public void forceDirectory() throws IOException {
        forceDirectory(directory);
    }

    private static void forceDirectory(Path directory) throws IOException {
        if (FORCES_DIRECTORIES) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Gives the directory free for another opener. */
    @Override
    public void close() throws IOException {
        if (lock != null && lock.isOpen()) {
            lock.close();
            HELD.remove(directory.toRealPath());
        }
    }

    private record ChannelFile(FileChannel channel) implements DiskFile {

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            int wanted = source.remaining();
            int written = channel.write(source, position);
            if (written < wanted) {
                throw new IOException("short write: " + written + " of " + wanted + " bytes at " + position);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            if (size < channel.size()) {
                channel.truncate(size);
            } else if (size > channel.size()) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
