package dev.harmovela.conformance.matrix;

import dev.harmovela.conformance.UsageException;
import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The evidence as a whole.
 *
 * @param suite version and hash of the suite that was run
 * @param environment where: Java, operating system, processors
 * @param columns what was run or could not be, in their order: name and command of each
 * @param cells one per column and profile
 */
public record Matrix(Json.Obj suite, Json.Obj environment, List<Json.Obj> columns, List<Cell> cells) {

    /** The form of the file. */
    static final String FORMAT = "harmovela.matrix.v1";

    public Matrix {
        columns = List.copyOf(columns);
        cells = List.copyOf(cells);
    }

    /** Whether nothing that was run failed. */
    public boolean passed() {
        return cells.stream().noneMatch(cell -> cell.status() == Cell.Status.FAIL);
    }

    /** As {@code matrix.json} says it. */
    public Json.Obj toJson() {
        List<Json> items = new ArrayList<>();
        cells.forEach(cell -> items.add(cell.toJson()));
        return Json.Obj.builder()
                .put("format", FORMAT)
                .put("suite", suite)
                .put("environment", environment)
                .put("columns", new Json.Arr(List.copyOf(columns)))
                .put("cells", new Json.Arr(items))
                .build();
    }

    /**
     * Reads a file back.
     *
     * @throws UsageException when it is none
     */
    public static Matrix parse(String text) {
        try {
            if (Json.parse(text) instanceof Json.Obj file && FORMAT.equals(file.string("format"))) {
                return new Matrix(
                        part(file, "suite"), part(file, "environment"), objects(file, "columns"), cells(file));
            }
        } catch (JsonException _) {
            // refused below, like any other file
        }
        throw new UsageException("the file is no " + FORMAT);
    }

    private static Json.Obj part(Json.Obj file, String name) {
        return Objects.requireNonNullElse(file.object(name), Json.Obj.of());
    }

    private static List<Json.Obj> objects(Json.Obj file, String name) {
        List<Json.Obj> all = new ArrayList<>();
        Json.Arr items = file.array(name);
        if (items != null) {
            items.items().forEach(item -> all.add(item instanceof Json.Obj one ? one : Json.Obj.of()));
        }
        return all;
    }

    private static List<Cell> cells(Json.Obj file) {
        return objects(file, "cells").stream().map(Cell::of).toList();
    }

    /**
     * In what a fresh run differs from this one: missing and new cells, verdicts, and transcripts; empty when in
     * nothing. Times and the environment may differ.
     */
    public List<String> differences(Matrix fresh) {
        List<String> all = new ArrayList<>();
        if (!Objects.equals(suite.string("sha256"), fresh.suite.string("sha256"))) {
            all.add("the suite is another one");
        }
        for (Cell cell : cells) {
            Cell other = fresh.find(cell);
            if (other == null) {
                all.add(name(cell) + " was not run again");
            } else {
                differences(cell, other, all);
            }
        }
        for (Cell cell : fresh.cells) {
            if (find(cell) == null) {
                all.add(name(cell) + " is new");
            }
        }
        return all;
    }

    private static void differences(Cell before, Cell now, List<String> all) {
        if (before.status() != now.status()) {
            all.add(name(before) + " was " + before.status().wire() + " and is "
                    + now.status().wire());
        }
        for (Cell.Fixture one : before.fixtures()) {
            Cell.Fixture other = now.fixtures().stream()
                    .filter(candidate -> candidate.path().equals(one.path()))
                    .findFirst()
                    .orElse(null);
            if (other == null) {
                all.add(name(before) + ": " + one.path() + " was not run again");
            } else if (!one.status().equals(other.status())) {
                all.add(name(before) + ": " + one.path() + " was " + one.status() + " and is " + other.status());
            } else if (!Objects.equals(one.transcript(), other.transcript())) {
                all.add(name(before) + ": " + one.path() + " has another transcript");
            }
        }
    }

    private @Nullable Cell find(Cell like) {
        return cells.stream()
                .filter(cell -> name(cell).equals(name(like)))
                .findFirst()
                .orElse(null);
    }

    private static String name(Cell cell) {
        return cell.target() + " / " + cell.profile();
    }
}
