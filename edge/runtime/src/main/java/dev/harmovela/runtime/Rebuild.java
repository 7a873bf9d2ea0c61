package dev.harmovela.runtime;

import dev.harmovela.harness.HubHealth;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the search over ended tasks anew from the journal. */
public final class Rebuild {

    private Rebuild() {}

    /**
     * Deletes the search of the configured data directory and lets a hub without a port fill it again. Blocks.
     *
     * @return position of the journal up to which it was filled
     * @throws StartFailed when the directory is in use, or its journal cannot be opened
     */
    public static long run(DaemonConfig config) throws StartFailed {
        Path data = config.data();
        if (data == null || !Files.isDirectory(data.resolve(Stores.JOURNAL))) {
            throw new StartFailed(
                    StartFailed.Reason.DATA_UNUSABLE,
                    "There is no journal in " + data + ".",
                    "Name the data directory of a hub with --data.",
                    null);
        }
        try (SmallHub small = SmallHub.withFreshSearch(config)) {
            small.settle();
            for (HubHealth.Part part : small.hub().health().warnings()) {
                if (part.part().equals(HubHealth.SEARCH)) {
                    throw new IOException(part.problem());
                }
            }
            TaskArchive archive = small.archive();
            return archive == null ? 0 : archive.appliedLsn();
        } catch (IOException failure) {
            throw Stores.explain(data, failure);
        }
    }
}
