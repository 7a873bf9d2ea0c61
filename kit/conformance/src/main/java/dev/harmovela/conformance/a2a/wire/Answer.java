package dev.harmovela.conformance.a2a.wire;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP answer, whole.
 *
 * @param status HTTP status
 * @param headers names in any case; several values of one name joined by a comma
 * @param body decoded as UTF-8
 */
public record Answer(int status, Map<String, String> headers, String body) {

    private static final int SHOWN = 160;

    public Answer {
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(headers);
        headers = sorted;
    }

    /** The value of the header, or null. */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /** The media type without parameters in lower case; empty when there is none. */
    public String mediaType() {
        String type = header("Content-Type");
        return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** The body as JSON; null when it is none. */
    public @Nullable Json json() {
        try {
            return body.isBlank() ? null : Json.parse(body);
        } catch (JsonException notJson) {
            return null;
        }
    }

    /** The body as a JSON object; null when it is none. */
    public Json.@Nullable Obj object() {
        return json() instanceof Json.Obj object ? object : null;
    }

    /** For messages: status and the beginning of the body. */
    public String brief() {
        String text = body.strip().replaceAll("\\s+", " ");
        return "HTTP " + status + (text.isEmpty() ? " without a body" : " " + cut(text));
    }

    private static String cut(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
