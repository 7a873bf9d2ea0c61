package dev.harmovela.cli;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.DaemonConfig;
import dev.harmovela.runtime.LoadedConfig;
import dev.harmovela.runtime.RunFile;
import dev.harmovela.runtime.security.SecurityFile;
import dev.harmovela.runtime.security.SecurityProblem;
import dev.harmovela.runtime.security.SecurityStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A command that looks at the security file of a data directory, or changes it; a running hub follows by itself. */
abstract class SecurityCommand extends HubCommand {

    private @Nullable DaemonConfig config;

    /** Does it. */
    abstract int run(SecurityStore store) throws IOException, SecurityProblem, Failure;

    @Override
    final int run() throws Failure {
        LoadedConfig loaded = root().load(Map.of());
        config = loaded.config();
        Path file = loaded.config().securityFile();
        if (file == null) {
            throw Failure.usage(
                    "A hub that keeps everything in memory knows no tokens, tenants or roles.",
                    "Name its data directory with --data, or leave out dev.");
        }
        SecurityStore store = new SecurityStore(
                file, EventRegistry.standard().withFamilies(loaded.config().families()));
        try {
            return run(store);
        } catch (SecurityProblem problem) {
            throw Failure.failed(
                    "security_invalid",
                    "The security file " + file + " cannot be used or changed like this: " + problem.sentence() + ".",
                    "Nothing was changed.");
        } catch (IOException failed) {
            throw Failure.failed("io_error", "The security file " + file + " cannot be used: " + failed + ".", null);
        }
    }

    /** The data directory, or null. */
    @Nullable Path data() {
        return config == null ? null : config.data();
    }

    /** What a change leads to. */
    void noteFollowing() {
        Path data = data();
        boolean running = data != null && RunFile.find(data) != null;
        console().note(running ? "The running hub follows at once." : "It holds when the hub starts.");
    }

    /** Answers with a list; columns as {@link Table} takes them. */
    int list(List<Json> rows, String... columns) {
        Json.Obj data = Json.Obj.builder().put("items", new Json.Arr(rows)).build();
        console().result(data, Table.of(rows, columns));
        return ExitCodes.OK;
    }

    /** Answers with what was changed and says from when on it holds. */
    int changed(Json.Obj data, String sentence) {
        console().result(data, sentence);
        noteFollowing();
        return ExitCodes.OK;
    }

    /** Answers that something is gone. */
    int removed(String what, String name) {
        return changed(Json.Obj.builder().put("removed", name).build(), "Removed " + what + " " + name + ".");
    }

    static Failure unknown(String what, String name) {
        return Failure.failed("not_found", "There is no " + what + " " + name + ".", "List them with ls.");
    }

    static SecurityFile require(SecurityFile file, boolean there, String what, String name) throws Failure {
        if (!there) {
            throw unknown(what, name);
        }
        return file;
    }
}
