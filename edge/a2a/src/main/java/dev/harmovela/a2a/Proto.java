package dev.harmovela.a2a;

import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ProtoJSON of A2A 1.0: names in camelCase or snake_case, enums by name or number, unknown members ignored,
 * JSON null the same as absent. What it returns has official names and known members only.
 */
final class Proto {

    static final List<String> STATES = List.of(
            "TASK_STATE_UNSPECIFIED",
            "TASK_STATE_SUBMITTED",
            "TASK_STATE_WORKING",
            "TASK_STATE_COMPLETED",
            "TASK_STATE_FAILED",
            "TASK_STATE_CANCELED",
            "TASK_STATE_INPUT_REQUIRED",
            "TASK_STATE_REJECTED",
            "TASK_STATE_AUTH_REQUIRED");
    private static final List<String> ROLES = List.of("ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT");
    private static final List<String> CONTENT = List.of("text", "raw", "url", "data");

    /** Members whose value is anybody's own: names inside are left alone. */
    private static final Set<String> OPAQUE = Set.of("metadata", "data", "params", "header");

    private Proto() {}

    /** The same with official names all through. */
    static Json.Obj camel(Json.Obj given) {
        Json.Builder all = Json.Obj.builder();
        given.forEach((name, value) -> {
            String official = name.startsWith("@") ? name : camel(name);
            if (value != Json.Null.NULL || name.equals("data")) {
                all.put(official, OPAQUE.contains(name) ? value : inside(value));
            }
        });
        return all.build();
    }

    private static Json inside(Json value) {
        return switch (value) {
            case Json.Obj object -> camel(object);
            case Json.Arr array ->
                new Json.Arr(array.items().stream().map(Proto::inside).toList());
            default -> value;
        };
    }

    private static String camel(String name) {
        if (name.indexOf('_') < 0) {
            return name;
        }
        StringBuilder out = new StringBuilder(name.length());
        boolean upper = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '_') {
                upper = true;
            } else {
                out.append(upper ? Character.toUpperCase(c) : c);
                upper = false;
            }
        }
        return out.toString();
    }

    // --- single members

    static @Nullable String string(Json.Obj of, String name) throws Refusal {
        Json value = of.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Json.Str text) {
            return text.value().isEmpty() ? null : text.value();
        }
        throw Refusal.invalid(name, "a string is expected");
    }

    /** An integer, given as a number or as digits in a string; null when absent. */
    static @Nullable Integer integer(Json.Obj of, String name) throws Refusal {
        Json value = of.get(name);
        if (value == null) {
            return null;
        }
        try {
            long number = switch (value) {
                case Json.Num n -> n.longValue();
                case Json.Str s -> Long.parseLong(s.value());
                default -> throw new ArithmeticException("no number");
            };
            return Math.toIntExact(number);
        } catch (ArithmeticException | NumberFormatException noInteger) {
            throw Refusal.invalid(name, "an integer of 32 bits is expected");
        }
    }

    static @Nullable Boolean bool(Json.Obj of, String name) throws Refusal {
        Json value = of.get(name);
        return switch (value) {
            case null -> null;
            case Json.Bool b -> (Boolean) b.value();
            case Json.Str s when s.value().equals("true") -> Boolean.TRUE;
            case Json.Str s when s.value().equals("false") -> Boolean.FALSE;
            default -> throw Refusal.invalid(name, "true or false is expected");
        };
    }

    static Json.@Nullable Obj object(Json.Obj of, String name) throws Refusal {
        Json value = of.get(name);
        if (value == null || value instanceof Json.Obj) {
            return (Json.Obj) value;
        }
        throw Refusal.invalid(name, "an object is expected");
    }

    static @Nullable Long timestamp(Json.Obj of, String name) throws Refusal {
        String text = string(of, name);
        if (text == null) {
            return null;
        }
        long at = Timestamps.parse(text);
        if (at == Timestamps.INVALID) {
            throw Refusal.invalid(name, "a timestamp of ISO 8601 is expected");
        }
        return at;
    }

    /** A state's official name, or null when absent or unspecified. */
    static @Nullable String state(Json.Obj of, String name) throws Refusal {
        return enumeration(of, name, STATES);
    }

    private static @Nullable String enumeration(Json.Obj of, String name, List<String> values) throws Refusal {
        Json value = of.get(name);
        int place = switch (value) {
            case null -> 0;
            case Json.Str s -> values.indexOf(s.value());
            case Json.Num n -> number(n, values.size());
            default -> -1;
        };
        if (place < 0) {
            throw Refusal.invalid(name, "one of " + values.subList(1, values.size()) + " is expected");
        }
        return place == 0 ? null : values.get(place);
    }

    private static int number(Json.Num number, int size) {
        try {
            long value = number.longValue();
            return value >= 0 && value < size ? (int) value : -1;
        } catch (ArithmeticException fraction) {
            return -1;
        }
    }

    // --- messages

    /** The message of a request, checked and cleaned. */
    static Json.Obj message(Json.Obj request) throws Refusal {
        Json.Obj given = object(request, "message");
        if (given == null) {
            throw Refusal.invalid("message", "a message is required");
        }
        String id = string(given, "messageId");
        String role = enumeration(given, "role", ROLES);
        if (id == null) {
            throw Refusal.invalid("message.messageId", "an id is required");
        }
        if (role == null) {
            throw Refusal.invalid("message.role", "a role is required");
        }
        return Json.Obj.builder()
                .put("messageId", id)
                .put("contextId", string(given, "contextId"))
                .put("taskId", string(given, "taskId"))
                .put("role", role)
                .put("parts", parts(given, "message.parts"))
                .put("metadata", object(given, "metadata"))
                .put("extensions", strings(given, "extensions"))
                .put("referenceTaskIds", strings(given, "referenceTaskIds"))
                .build();
    }

    static Json.@Nullable Arr strings(Json.Obj of, String name) throws Refusal {
        Json value = of.get(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Json.Arr array)
                || array.items().stream().anyMatch(each -> !(each instanceof Json.Str))) {
            throw Refusal.invalid(name, "a list of strings is expected");
        }
        return array.items().isEmpty() ? null : array;
    }

    /** The parts of a message or an artifact: one at least. */
    static Json.Arr parts(Json.Obj of, String path) throws Refusal {
        Json value = of.get("parts");
        if (!(value instanceof Json.Arr array) || array.items().isEmpty()) {
            throw Refusal.invalid(path, "one part at least is required");
        }
        List<Json> parts = new ArrayList<>();
        for (Json each : array.items()) {
            if (!(each instanceof Json.Obj part)) {
                throw Refusal.invalid(path, "a part is an object");
            }
            parts.add(part(part, path));
        }
        return new Json.Arr(parts);
    }

    private static Json.Obj part(Json.Obj part, String path) throws Refusal {
        List<String> there =
                CONTENT.stream().filter(name -> part.raw(name) != null).toList();
        if (there.size() != 1) {
            throw Refusal.invalid(path, "a part has exactly one of text, raw, url and data");
        }
        String kind = there.getFirst();
        Json content = part.raw(kind);
        if (!kind.equals("data") && !(content instanceof Json.Str)) {
            throw Refusal.invalid(path + "." + kind, "a string is expected");
        }
        if (content instanceof Json.Str raw && kind.equals("raw") && !isBase64(raw.value())) {
            throw Refusal.invalid(path + ".raw", "base64 is expected");
        }
        return Json.Obj.builder()
                .put(kind, content)
                .put("metadata", object(part, "metadata"))
                .put("filename", string(part, "filename"))
                .put("mediaType", string(part, "mediaType"))
                .build();
    }

    /** SHA-256 in hexadecimal digits. */
    static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
            return true;
        } catch (IllegalArgumentException broken) {
            return false;
        }
    }

    /** What an agent gave as an artifact, cleaned. */
    static Json.Obj artifact(Json.Obj given, String otherwise) throws Refusal {
        String id = string(given, "artifactId");
        return Json.Obj.builder()
                .put("artifactId", id == null ? otherwise : id)
                .put("name", string(given, "name"))
                .put("description", string(given, "description"))
                .put("parts", parts(given, "artifact.parts"))
                .put("metadata", object(given, "metadata"))
                .put("extensions", strings(given, "extensions"))
                .build();
    }
}
