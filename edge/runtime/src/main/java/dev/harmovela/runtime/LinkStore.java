package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import dev.harmovela.transport.link.LinkProblem;
import dev.harmovela.transport.link.LinkReader;
import dev.harmovela.transport.link.LinkSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The links of a hub to brokers: {@code links.json}, with the secrets of nobody in it. Blocking; several processes
 * may change
 * it, one after the other, and the running hub follows it.
 */
public final class LinkStore {

    /** Its name in the data directory. */
    public static final String NAME = "links.json";

    private static final String HINT = "Nothing was changed.";
    private static final ReentrantLock ONE = new ReentrantLock();

    private final Path file;

    public LinkStore(Path file) {
        this.file = file;
    }

    /** Where it is. */
    public Path file() {
        return file;
    }

    /** The links that are configured, as they hold: with every default spelled out. */
    public List<Json.Obj> list() throws IOException, ConfigProblem {
        return read().stream().map(LinkSettings::toJson).toList();
    }

    /** Adds a link, or puts another in its place; as it holds. */
    public Json.Obj put(Json.Obj link) throws IOException, ConfigProblem {
        LinkSettings read;
        try {
            read = LinkReader.link(link);
        } catch (LinkProblem problem) {
            throw problem(problem);
        }
        edit(before -> {
            List<LinkSettings> after = new ArrayList<>(before);
            after.removeIf(one -> one.name().equals(read.name()));
            after.add(read);
            return after;
        });
        return read.toJson();
    }

    /** Removes a link; whether it was there. */
    public boolean remove(String name) throws IOException, ConfigProblem {
        boolean there = read().stream().anyMatch(one -> one.name().equals(name));
        if (there) {
            edit(before ->
                    before.stream().filter(one -> !one.name().equals(name)).toList());
        }
        return there;
    }

    List<LinkSettings> read() throws IOException, ConfigProblem {
        try {
            return LinkReader.read(Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (LinkProblem problem) {
            throw problem(problem);
        }
    }

    private ConfigProblem problem(LinkProblem problem) {
        return new ConfigProblem("The links of " + file + " cannot hold: " + problem.getMessage() + ".", HINT);
    }

    private interface Edit {
        List<LinkSettings> apply(List<LinkSettings> before);
    }

    private void edit(Edit edit) throws IOException, ConfigProblem {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        ONE.lock();
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            assert held.isValid();
            List<LinkSettings> after = LinkReader.checked(edit.apply(read()));
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            Files.writeString(temporary, LinkReader.write(after) + "\n");
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (LinkProblem problem) {
            throw problem(problem);
        } finally {
            ONE.unlock();
        }
    }
}
