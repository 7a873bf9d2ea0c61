package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Finds and reads configuration files: JSON by the product's own strict reader, YAML 1.2 for the rest. */
final class ConfigFiles {

    /** Looked for in this order. */
    static final List<String> NAMES = List.of("harmovela.config.json", "harmovela.config.yaml", "harmovela.config.yml");

    private ConfigFiles() {}

    /** The configuration file of a folder, or null when it has none. */
    static @Nullable Path in(Path folder) {
        for (String name : NAMES) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return null;
    }

    static Json.Obj read(Path file) throws ConfigProblem {
        String text = text(file);
        String name = file.toString().toLowerCase(Locale.ROOT);
        Json content = name.endsWith(".yaml") || name.endsWith(".yml") ? yaml(file, text) : json(file, text);
        if (content instanceof Json.Obj object) {
            return object;
        }
        throw new ConfigProblem(
                "The configuration file " + file + " holds " + content.kind() + " where an object is needed.",
                "Write it as harmovela init does.");
    }

    private static String text(Path file) throws ConfigProblem {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new ConfigProblem(
                    "There is no configuration file " + file + ".",
                    "Leave --config and HARMOVELA_CONFIG out, or write the file with harmovela init.");
        } catch (CharacterCodingException notText) {
            throw new ConfigProblem("The configuration file " + file + " is not UTF-8.", "Save it as UTF-8.");
        } catch (IOException unreadable) {
            throw new ConfigProblem(
                    "The configuration file " + file + " cannot be read (" + reason(unreadable) + ").",
                    "Check its permissions.");
        }
    }

    private static String reason(IOException failure) {
        return failure instanceof AccessDeniedException ? "permission denied" : String.valueOf(failure.getMessage());
    }

    private static Json json(Path file, String text) throws ConfigProblem {
        try {
            return Json.parse(text);
        } catch (JsonException broken) {
            String place = broken.path().isEmpty() ? "" : " at " + broken.path();
            throw new ConfigProblem(
                    "The configuration file " + file + " is not JSON" + place + ": " + broken.reason() + ".",
                    "Mend it at byte " + broken.offset() + ", or write it as YAML and call it .yaml.");
        }
    }

    private static Json yaml(Path file, String text) throws ConfigProblem {
        try {
            Object content = new Load(LoadSettings.builder().build()).loadFromString(text);
            return content == null ? Json.Obj.of() : convert(file, content);
        } catch (MarkedYamlEngineException broken) {
            String line = broken.getProblemMark()
                    .map(mark -> " in line " + (mark.getLine() + 1))
                    .orElse("");
            throw new ConfigProblem(
                    "The configuration file " + file + " is not YAML" + line + ": " + broken.getProblem() + ".",
                    "Mend that line.");
        } catch (YamlEngineException broken) {
            throw new ConfigProblem(
                    "The configuration file " + file + " is not YAML: " + broken.getMessage() + ".", "Mend it.");
        }
    }

    private static Json convert(Path file, @Nullable Object value) throws ConfigProblem {
        switch (value) {
            case null -> {
                return Json.Null.NULL;
            }
            case String text -> {
                return Json.of(text);
            }
            case Boolean bool -> {
                return Json.of(bool.booleanValue());
            }
            case Integer number -> {
                return Json.of(number.longValue());
            }
            case Long number -> {
                return Json.of(number.longValue());
            }
            case BigInteger number -> {
                return new Json.Num(number.toString());
            }
            case Double number
            when !number.isNaN() && !number.isInfinite() -> {
                return new Json.Num(new BigDecimal(number.toString()).toString());
            }
            case Iterable<?> list -> {
                List<Json> items = new ArrayList<>();
                for (Object item : list) {
                    items.add(convert(file, item));
                }
                return new Json.Arr(items);
            }
            case Map<?, ?> map -> {
                Json.Builder object = Json.Obj.builder();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    object.put(String.valueOf(entry.getKey()), convert(file, entry.getValue()));
                }
                return object.build();
            }
            default ->
                throw new ConfigProblem(
                        "The configuration file " + file + " holds a value that is not data: " + value + ".",
                        "Use texts, numbers, true, false, lists and objects.");
        }
    }
}
