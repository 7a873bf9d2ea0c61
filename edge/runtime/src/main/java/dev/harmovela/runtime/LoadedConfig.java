package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A configuration and where each of its values came from.
 *
 * @param config the values, typed
 * @param entries the same as they are shown, in the order of the documentation
 * @param file the file that was read, or null
 * @param warnings things that were passed over, a sentence each
 */
public record LoadedConfig(
        DaemonConfig config, List<Entry> entries, @Nullable Path file, List<String> warnings) {

    public LoadedConfig {
        entries = List.copyOf(entries);
        warnings = List.copyOf(warnings);
    }

    /**
     * One value.
     *
     * @param path name of the setting
     * @param value what holds; JSON null where other settings decide
     * @param origin where it came from
     * @param help what it means
     */
    public record Entry(String path, Json value, Origin origin, String help) {}
}
