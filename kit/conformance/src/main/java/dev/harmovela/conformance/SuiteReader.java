package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests. Members that are not known here are ignored, so that a suite written elsewhere runs unchanged.
 *
 * <p>A manifest of ours may name another in {@code extends}: a fixture that both list takes from there what its own
 * entry leaves out, above all the expectations of its lines.
 */
final class SuiteReader {

    private static final String MANIFEST = "manifest.json";
    private static final List<String> LEVELS = List.of("HARMOVELA-C0", "HARMOVELA-C1", "HARMOVELA-C2", "HARMOVELA-C3");

    private final SuiteFiles files;

    SuiteReader(SuiteFiles files) {
        this.files = files;
    }

    /** A suite and the place of its files. */
    record Loaded(Suite suite, SuiteFiles files) {}

    /** Loads the suite at {@code manifest}, or the one shipped here when it is null. */
    static Loaded load(@Nullable Path manifest) {
        if (manifest == null) {
            SuiteFiles shipped = SuiteFiles.shipped();
            return new Loaded(new SuiteReader(shipped).read(MANIFEST), shipped);
        }
        Path file = Files.isDirectory(manifest) ? manifest.resolve(MANIFEST) : manifest;
        Path parent = file.toAbsolutePath().getParent();
        Path name = file.getFileName();
        if (parent == null || name == null) {
            throw new UsageException(manifest + " is not a manifest");
        }
        SuiteFiles files = SuiteFiles.in(parent);
        return new Loaded(new SuiteReader(files).read(name.toString()), files);
    }

    /** Reads a manifest; {@link UsageException} when it is missing or not one. */
    Suite read(String name) {
        Json.Obj manifest = parse(name);
        List<String> levels = manifest.strings("levels");
        if (levels.isEmpty()) {
            levels = LEVELS;
        }
        String defaultLevel = text(manifest, "default_target_level", levels.getLast());
        if (!levels.contains(defaultLevel)) {
            throw new UsageException(name + ": default_target_level " + defaultLevel + " is not one of " + levels);
        }
        Json.Arr entries = manifest.array("fixtures");
        if (entries == null) {
            throw new UsageException(name + " has no array of fixtures");
        }
        Map<String, Json.Obj> inherited = inherited(name, manifest.string("extends"));
        List<Suite.Fixture> fixtures = new ArrayList<>();
        for (Json entry : entries.items()) {
            fixtures.add(fixture(name, levels, entry, inherited));
        }
        return new Suite(
                name,
                text(manifest, "spec_version", "0.2"),
                text(manifest, "suite_version", "unknown"),
                defaultLevel,
                levels,
                new Suite.Content(List.copyOf(fixtures), profiles(manifest)));
    }

    private Json.Obj parse(String name) {
        try {
            if (Json.parse(files.read(name)) instanceof Json.Obj manifest) {
                return manifest;
            }
            throw new UsageException(name + " is not a JSON object");
        } catch (IOException e) {
            throw new UsageException("the manifest cannot be read: " + e.getMessage());
        } catch (JsonException e) {
            throw new UsageException(name + " is not sound JSON: " + e.getMessage());
        }
    }

    private Map<String, Json.Obj> inherited(String name, @Nullable String base) {
        Map<String, Json.Obj> entries = new HashMap<>();
        if (base != null) {
            String baseName = SuiteFiles.resolve(name, base);
            for (Suite.Fixture fixture : read(baseName).content().fixtures()) {
                entries.put(fixture.file(), fixture.raw());
            }
        }
        return entries;
    }

    private static Suite.Fixture fixture(
            String name, List<String> levels, Json entry, Map<String, Json.Obj> inherited) {
        if (!(entry instanceof Json.Obj own) || own.string("path") == null) {
            throw new UsageException(name + ": a fixture needs a path: " + entry);
        }
        String path = String.valueOf(own.string("path"));
        String file = SuiteFiles.resolve(name, path);
        Json.Obj raw = own;
        Json.Obj base = inherited.get(file);
        if (base != null) {
            for (String member : base.names()) {
                Json value = base.get(member);
                raw = raw.has(member) || value == null ? raw : raw.with(member, value);
            }
        }
        String level = text(raw, "level", levels.getFirst());
        if (!levels.contains(level)) {
            throw new UsageException(
                    name + ": " + path + " has the level " + level + ", which is not one of " + levels);
        }
        return new Suite.Fixture(path, file, level, expectation(name, raw), raw.string("profile"), raw);
    }

    private static Suite.Expectation expectation(String name, Json.Obj raw) {
        String wanted = text(raw, "expectation", "");
        for (Suite.Expectation known : Suite.Expectation.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(wanted)) {
                return known;
            }
        }
        throw new UsageException(name + ": " + raw.string("path") + " has the unknown expectation '" + wanted + "'");
    }

    private static Map<String, List<String>> profiles(Json.Obj manifest) {
        Map<String, List<String>> profiles = new LinkedHashMap<>();
        Json.Obj declared = manifest.object("profiles");
        if (declared != null) {
            for (String name : declared.names()) {
                Json.Obj profile = declared.object(name);
                profiles.put(name, profile == null ? List.of() : profile.strings("fixtures"));
            }
        }
        return profiles;
    }

    private static String text(Json.Obj from, String member, String otherwise) {
        String value = from.string(member);
        return value == null ? otherwise : value;
    }
}
