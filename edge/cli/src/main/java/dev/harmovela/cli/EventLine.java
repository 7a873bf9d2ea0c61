package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;

/** An event on one line, for people. */
final class EventLine {

    private static final int TIME_FROM = 11;
    private static final int TIME_TO = 23;
    private static final int PAYLOAD = 160;

    private EventLine() {}

    static String of(Json.Obj event) {
        StringBuilder line = new StringBuilder();
        String at = event.string("created_at");
        line.append(at == null || at.length() < TIME_TO ? "" : at.substring(TIME_FROM, TIME_TO))
                .append("  ");
        line.append(Table.text(event, "type")).append("  from ").append(Table.text(event, "source"));
        add(line, event, "target", " to ");
        add(line, event, "task_id", "  task ");
        Json.Obj payload = event.object("payload");
        if (payload != null && !payload.isEmpty()) {
            String text = payload.toString();
            line.append("  ").append(text.length() <= PAYLOAD ? text : text.substring(0, PAYLOAD - 1) + "…");
        }
        return line.toString();
    }

    /** The same with what belongs to its delivery: id, sequence, cursor and attempt. */
    static String ofDelivery(Json.Obj event) {
        StringBuilder line =
                new StringBuilder(of(event)).append("\n              id ").append(Table.text(event, "id"));
        Json.Obj delivery = event.object("delivery");
        if (delivery != null) {
            add(line, delivery, "sequence", "  sequence ");
            add(line, delivery, "cursor", "  cursor ");
            Long attempt = delivery.integer("attempt");
            line.append(attempt == null || attempt == 1 ? "" : "  attempt " + attempt);
        }
        return line.toString();
    }

    private static void add(StringBuilder line, Json.Obj from, String name, String label) {
        if (from.has(name)) {
            line.append(label).append(Table.text(from, name));
        }
    }
}
