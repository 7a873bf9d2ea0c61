package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Rows under headings, as wide as they need to be. */
final class Table {

    private static final int WIDEST = 60;

    private final List<String[]> rows = new ArrayList<>();

    private Table() {}

    /**
     * A table of objects.
     *
     * @param columns {@code heading=path}, a path being a member or members joined by dots
     */
    static String of(List<Json> items, String... columns) {
        Table table = new Table();
        String[] headings = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
            headings[i] = columns[i].substring(0, columns[i].indexOf('='));
        }
        table.rows.add(headings);
        for (Json item : items) {
            String[] row = new String[columns.length];
            for (int i = 0; i < columns.length; i++) {
                row[i] = text(item, columns[i].substring(columns[i].indexOf('=') + 1));
            }
            table.rows.add(row);
        }
        return table.render();
    }

    /** The value at a path as people read it; a dash where there is none. */
    static String text(Json from, String path) {
        Json at = from;
        for (String name : path.split("\\.")) {
            Json next = at instanceof Json.Obj object ? object.get(name) : null;
            if (next == null) {
                return "-";
            }
            at = next;
        }
        String text = switch (at) {
            case Json.Str string -> string.value();
            case Json.Bool bool -> bool.value() ? "yes" : "no";
            default -> at.toString();
        };
        text = text.isEmpty() ? "-" : text;
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
    }

    private String render() {
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
