package dev.harmovela.runtime.security;

import dev.harmovela.contract.EventRegistry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The security file of a hub: {@code security.json}, with the secrets of nobody in it. Blocking; several processes may
 * change it, one after the other, and the running hub follows it.
 */
public final class SecurityStore {

    /** Its name in the data directory. */
    public static final String NAME = "security.json";

    /** Where a hub leaves the token with which whoever may read its data directory administers it. */
    public static final String ADMIN_TOKEN = "admin.token";

    /** Who the admin token is. */
    static final String ADMIN = "agent:cli";

    /** Locks of files keep other processes away, this one keeps the threads of ours apart. */
    private static final ReentrantLock ONE = new ReentrantLock();

    private final Path file;
    private final EventRegistry registry;

    /** @param registry what scopes can be about */
    public SecurityStore(Path file, EventRegistry registry) {
        this.file = file;
        this.registry = registry;
    }

    /** Where it is. */
    public Path file() {
        return file;
    }

    /** A change of the whole; may refuse. */
    @FunctionalInterface
    public interface Edit {
        SecurityFile apply(SecurityFile before) throws SecurityProblem;
    }

    /** What holds; nobody and nothing when there is no file. */
    public SecurityFile read() throws IOException, SecurityProblem {
        try {
            return SecurityReader.read(Files.readString(file, StandardCharsets.UTF_8), registry);
        } catch (NoSuchFileException none) {
            return SecurityFile.EMPTY;
        }
    }

    /** Changes the file as a whole, or not at all; the outcome. */
    public SecurityFile edit(Edit edit) throws IOException, SecurityProblem {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        ONE.lock();
        try {
            return editAlone(edit);
        } finally {
            ONE.unlock();
        }
    }

    private SecurityFile editAlone(Edit edit) throws IOException, SecurityProblem {
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        Secrets.create(lock);
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            assert held.isValid();
            SecurityFile after = SecurityReader.checked(edit.apply(read()), registry);
            Secrets.write(file, after.toJson() + "\n");
            return after;
        }
    }

    /** A token that was just made, with the secret that nobody will see again. */
    public record Issued(Token token, String secret) {}

    /**
     * What a new token is to be.
     *
     * @param expiresAt epoch milliseconds, {@link Long#MAX_VALUE} = never
     */
    public record Order(
            String identity,
            String tenant,
            List<String> roles,
            List<String> grants,
            List<String> speaksFor,
            long expiresAt) {}

    /** Makes a token. */
    public Issued issue(Order order, long now) throws IOException, SecurityProblem {
        String secret = Secrets.secret();
        Token token = new Token(
                Secrets.tokenId(),
                Secrets.hash(secret),
                order.identity(),
                order.tenant(),
                order.roles(),
                order.grants(),
                order.speaksFor(),
                now,
                order.expiresAt());
        edit(before -> before.with(token));
        return new Issued(token, secret);
    }

    /**
     * Makes the first token of a hub that has none, an admin of everything, and leaves its secret beside the journal.
     *
     * @return whether one was made
     */
    public boolean issueAdmin(Path data, long now) throws IOException, SecurityProblem {
        if (!read().tokens().isEmpty()) {
            return false;
        }
        String secret = Secrets.secret();
        Token token = new Token(
                Secrets.tokenId(),
                Secrets.hash(secret),
                ADMIN,
                dev.harmovela.spi.Caller.DEFAULT_TENANT,
                List.of("platform-admin"),
                List.of(),
                List.of("*"),
                now,
                Long.MAX_VALUE);
        Secrets.write(data.resolve(ADMIN_TOKEN), secret + "\n");
        edit(before -> before.tokens().isEmpty() ? before.with(token) : before);
        return true;
    }

    /** The secret of the admin token of a data directory, or null when it cannot be read. */
    public static @Nullable String adminSecret(Path data) {
        try {
            String secret = Files.readString(data.resolve(ADMIN_TOKEN)).strip();
            return secret.isEmpty() ? null : secret;
        } catch (IOException unreadable) {
            return null;
        }
    }

    /** Whether others than its owner may read the file. */
    public boolean isOpenToOthers() throws IOException {
        return Files.exists(file) && Secrets.isOpen(file);
    }
}
