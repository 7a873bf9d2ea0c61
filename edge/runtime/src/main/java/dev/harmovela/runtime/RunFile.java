package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a running hub leaves in its data directory for the other commands: where it is reached and which process it is.
 *
 * @param pid the process
 * @param url its address
 * @param grpc host and port of gRPC, null when it is off
 * @param version of the product
 * @param startedAt when it was ready
 */
public record RunFile(long pid, URI url, @Nullable String grpc, String version, String startedAt) {

    static final String NAME = "hub.json";

    static RunFile ofThisProcess(URI url, @Nullable String grpc) {
        String now = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        return new RunFile(ProcessHandle.current().pid(), url, grpc, Version.NUMBER, now);
    }

    /** The hub that runs on a data directory, or null when none does. */
    public static @Nullable RunFile find(Path data) {
        RunFile file = read(data);
        boolean alive = file != null
                && ProcessHandle.of(file.pid()).map(ProcessHandle::isAlive).orElse(false);
        return alive ? file : null;
    }

    private static @Nullable RunFile read(Path data) {
        try {
            if (Json.parse(Files.readString(data.resolve(NAME))) instanceof Json.Obj content) {
                Long pid = content.integer("pid");
                String url = content.string("url");
                String version = content.string("version");
                String startedAt = content.string("started_at");
                if (pid != null && url != null && version != null && startedAt != null) {
                    return new RunFile(pid, URI.create(url), content.string("grpc"), version, startedAt);
                }
            }
        } catch (IOException | JsonException | IllegalArgumentException noneOrBroken) {
            // the same as no file: whoever needs the hub is told where it was looked for
        }
        return null;
    }

    void write(Path data) throws IOException {
        String content = Json.Obj.builder()
                .put("pid", pid)
                .put("url", url.toString())
                .put("grpc", grpc)
                .put("version", version)
                .put("started_at", startedAt)
                .build()
                .toString();
        Path temporary = data.resolve(NAME + ".tmp");
        Files.writeString(temporary, content + "\n");
        Files.move(temporary, data.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Takes the file away, if it is the one of this process. */
    static void remove(Path data) {
        RunFile file = read(data);
        if (file != null && file.pid() == ProcessHandle.current().pid()) {
            try {
                Files.deleteIfExists(data.resolve(NAME));
            } catch (IOException kept) {
                // a file of a process that is gone is passed over by its readers
            }
        }
    }
}
