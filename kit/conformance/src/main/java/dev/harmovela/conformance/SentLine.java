package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of a fixture.
 *
 * @param text the line as it is sent
 * @param event the same, when it is a sound JSON object
 * @param id its id as far as anybody can tell; null when there is none to answer to
 * @param form how sound the text is
 */
record SentLine(
        String text, Json.@Nullable Obj event, @Nullable String id, Form form) {

    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"\\\\]+)\"");

    /** How sound the text of a line is. */
    enum Form {
        /** An object without a flaw. */
        OBJECT,
        /** JSON, but no object, or with something that strict readers refuse. */
        ODD,
        /** Against the grammar of JSON. */
        NO_JSON
    }

    /** The lines of a fixture; blank ones are none. */
    static List<SentLine> split(String fixture) {
        List<SentLine> lines = new ArrayList<>();
        fixture.lines().filter(line -> !line.isBlank()).forEach(line -> lines.add(of(line)));
        return lines;
    }

    static SentLine of(String text) {
        try {
            if (Json.parse(text) instanceof Json.Obj event) {
                String id = event.string("id");
                return new SentLine(text, event, id == null || id.isEmpty() ? null : id, Form.OBJECT);
            }
            return new SentLine(text, null, null, Form.ODD);
        } catch (JsonException e) {
            Matcher found = ID.matcher(text);
            return new SentLine(text, null, found.find() ? found.group(1) : null, e.syntax() ? Form.NO_JSON : Form.ODD);
        }
    }

    /** The type, or null when the line has none. */
    @Nullable String type() {
        return event == null ? null : event.string("type");
    }

    /** Whether an answer may come without naming this line. */
    boolean mayBeNameless() {
        return id == null || form != Form.OBJECT;
    }

    /**
     * Whether a target answers this line even when it takes it (D26): acks, nacks and {@code session.ready} are not.
     */
    boolean answered() {
        String type = type();
        if (event == null || type == null) {
            return true;
        }
        Json.Obj payload = event.object("payload");
        boolean nack = type.equals("event.rejected") && payload != null && payload.has("acknowledged_event_id");
        return !nack && !type.equals("event.acknowledged") && !type.equals("session.ready");
    }
}
