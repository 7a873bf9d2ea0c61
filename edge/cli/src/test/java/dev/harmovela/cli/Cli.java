package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs command lines in this process and keeps what they say. */
final class Cli {

    /** Settings under which a hub with a data directory starts quickly. */
    static final Map<String, String> SMALL = Map.of("HARMOVELA_JOURNAL_SEGMENT_BYTES", "1048576");

    private Cli() {}

    /** What a command line led to. */
    record Ran(int code, String out, String err) {

        /** The one JSON object on standard output. */
        Json.Obj json() {
            List<String> lines = out.lines().toList();
            if (lines.size() == 1 && Json.parse(lines.getFirst()) instanceof Json.Obj object) {
                return object;
            }
            throw new AssertionError("not one JSON object: " + out);
        }

        Json.Obj data() {
            Json.Obj data = json().object("data");
            if (data == null) {
                throw new AssertionError("no data: " + out);
            }
            return data;
        }

        Json.Obj error() {
            Json.Obj error = json().object("error");
            if (error == null) {
                throw new AssertionError("no error: " + out);
            }
            return error;
        }
    }

    static Ran run(String... arguments) {
        return run(Map.of(), arguments);
    }

    static Ran at(URI hub, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--url");
        all.add(hub.toString());
        return run(Map.of(), all.toArray(String[]::new));
    }

    static Ran run(Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        int code = Main.run(console, environment, arguments);
        return new Ran(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
