package dev.harmovela.conformance.a2a;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The profiles, from {@code profiles.json}. */
public final class Profiles {

    public static final String OFFICIAL = "official-a2a-v1.0";
    public static final String LEGACY = "legacy-a2amesh";
    public static final String EXPERIMENTAL = "experimental-a2a-v1.2";

    private static final Map<String, Profile> ALL = load();

    private Profiles() {}

    /** All of them, the default first. */
    public static List<Profile> all() {
        return List.copyOf(ALL.values());
    }

    /** The profile of that id; null when there is none. */
    public static @Nullable Profile find(String id) {
        return ALL.get(id);
    }

    /** The profile of an id that is known to exist. */
    static Profile named(String id) {
        Profile profile = find(id);
        if (profile == null) {
            throw new IllegalArgumentException("no profile " + id);
        }
        return profile;
    }

    /** A text of this package's resources. */
    static String resource(String name) {
        try (InputStream in = Profiles.class.getResourceAsStream("/dev/harmovela/conformance/a2a/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Map<String, Profile> load() {
        Map<String, Profile> all = new LinkedHashMap<>();
        Json.Obj file = (Json.Obj) Json.parse(resource("profiles.json"));
        for (Json each : items(file, "profiles")) {
            Json.Obj one = (Json.Obj) each;
            List<Profile.Row> rows = new ArrayList<>();
            String other = one.string("rowsOf");
            Profile base = other == null ? null : all.get(other);
            if (base != null) {
                rows.addAll(base.rows());
            }
            items(one, "rows").forEach(row -> rows.add(row((Json.Obj) row)));
            Profile profile = new Profile(
                    text(one, "id"),
                    text(one, "title"),
                    Boolean.TRUE.equals(one.bool("strict")),
                    text(one, "protocolVersion"),
                    text(one, "sourceOfTruth"),
                    rows);
            all.put(profile.id(), profile);
        }
        return all;
    }

    private static Profile.Row row(Json.Obj row) {
        return new Profile.Row(
                text(row, "id"), text(row, "area"), text(row, "name"), Boolean.TRUE.equals(row.bool("required")));
    }

    private static List<Json> items(Json.Obj of, String name) {
        Json.Arr array = of.array(name);
        return array == null ? List.of() : array.items();
    }

    private static String text(Json.Obj of, String name) {
        String text = of.string(name);
        if (text == null) {
            throw new IllegalStateException("profiles.json: " + name + " is missing");
        }
        return text;
    }
}
