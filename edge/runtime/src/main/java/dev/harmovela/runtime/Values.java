package dev.harmovela.runtime;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values of settings while a configuration is put together. */
final class Values {

    private record Held(Json value, Origin origin) {}

    private static final Origin STANDARD = new Origin.Standard();

    private final Map<String, Held> held = new HashMap<>();

    Values() {
        Settings.ALL.forEach(setting -> held.put(setting.path(), new Held(setting.fallback(), STANDARD)));
    }

    /** Takes a value over what was there; refuses one that does not fit. */
    void put(Setting setting, Json value, Origin origin) throws ConfigProblem {
        if (!setting.accepts(value)) {
            throw wrong(setting.path(), setting.expected(), value, origin);
        }
        held.put(setting.path(), new Held(value, origin));
    }

    static ConfigProblem wrong(String path, String expected, Json value, Origin origin) {
        String place = switch (origin) {
            case Origin.InFile(var file) -> path + " in " + file;
            case Origin.Variable(String name) -> name;
            case Origin.Option(String name) -> name;
            case Origin.Standard() -> path;
        };
        return new ConfigProblem(
                place + " must be " + expected + ", not " + shown(value) + ".",
                "harmovela config show says where each value comes from.");
    }

    /** A value as a sentence shows it: short. */
    static String shown(Json value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 57) + "…";
    }

    Json value(String path) {
        return held(path).value();
    }

    Origin origin(String path) {
        return held(path).origin();
    }

    private Held held(String path) {
        return Objects.requireNonNull(held.get(path), path);
    }

    String text(String path) {
        return Objects.requireNonNull(maybeText(path), path);
    }

    @Nullable String maybeText(String path) {
        return value(path) instanceof Json.Str text ? text.value() : null;
    }

    boolean flag(String path) {
        return value(path) == Json.Bool.TRUE || value(path).equals(Json.of(true));
    }

    long integer(String path) {
        return value(path) instanceof Json.Num number ? number.longValue() : 0;
    }

    /** For settings whose range fits. */
    int small(String path) {
        return Math.toIntExact(integer(path));
    }

    double decimal(String path) {
        return value(path) instanceof Json.Num number ? number.doubleValue() : 0;
    }

    List<String> texts(String path) {
        return Json.Obj.builder().put("it", value(path)).build().strings("it");
    }

    List<LoadedConfig.Entry> entries() {
        List<LoadedConfig.Entry> entries = new ArrayList<>();
        for (Setting setting : Settings.ALL) {
            Held now = held(setting.path());
            entries.add(new LoadedConfig.Entry(setting.path(), now.value(), now.origin(), setting.help()));
        }
        return entries;
    }
}
