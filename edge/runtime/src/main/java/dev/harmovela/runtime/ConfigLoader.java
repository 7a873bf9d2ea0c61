package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts a configuration together: defaults, then the file, then {@code HARMOVELA_*} variables, then options; the
 * later one wins for each single value (§15).
 */
public final class ConfigLoader {

    private static final String PREFIX = "HARMOVELA_";

    /** Variables that are read elsewhere. */
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "HARMOVELA_CONFIG",
            "HARMOVELA_URL",
            "HARMOVELA_TOKEN",
            "HARMOVELA_JAVA_OPTS",
            "HARMOVELA_SKIP_BUILD",
            "HARMOVELA_MAVEN_QUIET",
            "HARMOVELA_JDK_MIN");

    private ConfigLoader() {}

    /**
     * Where to look.
     *
     * @param folder the current folder: relative paths start there, and a file is looked for in it
     * @param environment variables of the process
     * @param file the file that was named by {@code --config}, or null
     * @param options values given on the command line, by the path of their setting
     */
    public record Sources(
            Path folder,
            Map<String, String> environment,
            @Nullable Path file,
            Map<String, String> options) {

        /** The current folder and the environment of this process. */
        public static Sources ofProcess(@Nullable Path file, Map<String, String> options) {
            return new Sources(Path.of(""), System.getenv(), file, options);
        }
    }

    /** Reads everything. */
    public static LoadedConfig load(Sources sources) throws ConfigProblem {
        Values values = new Values();
        List<String> warnings = new ArrayList<>();
        Path file = file(sources);
        if (file != null) {
            readObject(values, file, "", ConfigFiles.read(file));
        }
        readEnvironment(values, sources.environment(), warnings);
        for (Map.Entry<String, String> option : new TreeMap<>(sources.options()).entrySet()) {
            Setting setting = Settings.find(option.getKey());
            if (setting == null) {
                throw new IllegalArgumentException("no setting is called " + option.getKey());
            }
            String name = "--" + option.getKey().replace('.', '-').replace('_', '-');
            values.put(setting, setting.parse(option.getValue()), new Origin.Option(name));
        }
        DaemonConfig config = new ConfigBuilder(values, sources.folder()).build();
        return new LoadedConfig(config, values.entries(), file, warnings);
    }

    /** A development hub in memory with every default, whatever files and variables say; port 0 takes a free one. */
    public static DaemonConfig development(int port) {
        try {
            Values values = new Values();
            values.put(require("dev"), Json.of(true), new Origin.Standard());
            values.put(require("port"), Json.of(port), new Origin.Standard());
            return new ConfigBuilder(values, Path.of("")).build();
        } catch (ConfigProblem wrong) {
            throw new IllegalArgumentException(wrong.sentence(), wrong);
        }
    }

    private static Setting require(String path) {
        return Objects.requireNonNull(Settings.find(path), path);
    }

    private static @Nullable Path file(Sources sources) {
        if (sources.file() != null) {
            return sources.folder().resolve(sources.file());
        }
        String named = sources.environment().get("HARMOVELA_CONFIG");
        return named == null || named.isEmpty()
                ? ConfigFiles.in(sources.folder())
                : sources.folder().resolve(named);
    }

    private static void readObject(Values values, Path file, String prefix, Json.Obj object) throws ConfigProblem {
        for (String name : object.names()) {
            String path = prefix + name;
            Json value = object.get(name);
            Setting setting = Settings.find(path);
            if (setting == null && isGroup(path)) {
                if (value instanceof Json.Obj group) {
                    readObject(values, file, path + ".", group);
                } else if (value != null) {
                    throw new ConfigProblem(
                            path + " in " + file + " must be an object, not " + Values.shown(value) + ".",
                            "Put its settings below it.");
                }
            } else if (setting == null) {
                throw unknown(path, file);
            } else if (value != null) {
                values.put(setting, value, new Origin.InFile(file));
            }
        }
    }

    private static boolean isGroup(String path) {
        return Settings.ALL.stream().anyMatch(one -> one.path().startsWith(path + "."));
    }

    private static ConfigProblem unknown(String path, Path file) {
        String near = Nearest.to(path, Settings.ALL.stream().map(Setting::path).toList());
        return new ConfigProblem(
                "There is no setting " + path + ", named in " + file + ".",
                near == null ? "harmovela config show lists all settings." : "Did you mean " + near + "?");
    }

    private static void readEnvironment(Values values, Map<String, String> environment, List<String> warnings)
            throws ConfigProblem {
        Map<String, Setting> known = new LinkedHashMap<>();
        for (Setting setting : Settings.ALL) {
            if (setting.inEnvironment()) {
                known.put(setting.variable(), setting);
            }
        }
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            String name = variable.getKey();
            Setting setting = known.get(name);
            if (setting != null && !variable.getValue().isEmpty()) {
                values.put(setting, setting.parse(variable.getValue()), new Origin.Variable(name));
            } else if (setting == null && name.startsWith(PREFIX) && !OTHER_VARIABLES.contains(name)) {
                String near = Nearest.to(name, known.keySet());
                warnings.add("The variable " + name + " is no setting and was passed over"
                        + (near == null ? "." : "; did you mean " + near + "?"));
            }
        }
    }
}
