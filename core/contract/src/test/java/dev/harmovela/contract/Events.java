package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.nio.charset.StandardCharsets;

/** Reading events from text in tests. */
final class Events {

    static final String AT = "2026-07-10T10:00:00Z";

    private Events() {}

    static EventReader.Read read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    static EventReader.Read read(byte[] bytes) {
        return new EventReader(EventRegistry.standard(), Limits.DEFAULT).read(bytes, 0, bytes.length);
    }

    static Event ok(String text) {
        EventReader.Read read = read(text);
        if (read instanceof EventReader.Read.Ok(Event event)) {
            return event;
        }
        throw new AssertionError("refused: " + read);
    }

    static EventReader.Read.Bad bad(String text) {
        EventReader.Read read = read(text);
        if (read instanceof EventReader.Read.Bad refused) {
            return refused;
        }
        throw new AssertionError("taken: " + text);
    }

    static ProtocolError error(String text) {
        return bad(text).first();
    }

    /** A full envelope of the type with members in front of the payload, for example {@code "target":"agent:b"}. */
    static String event(String type, String members, String payload) {
        return "{\"spec_version\":\"0.2\",\"id\":\"evt_1\",\"type\":\"" + type
                + "\",\"source\":\"agent:a\",\"created_at\":\"" + AT + "\"" + (members.isEmpty() ? "" : "," + members)
                + ",\"payload\":" + payload + "}";
    }

    static String text(Event event) {
        return new String(event.bytes(), StandardCharsets.UTF_8);
    }

    static Json.Obj object(String text) {
        return (Json.Obj) Json.parse(text);
    }
}
