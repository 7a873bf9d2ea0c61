package dev.harmovela.cli;

import dev.harmovela.contract.json.Json;
import java.io.PrintStream;

/** Where a command says things: results on standard output, everything else on standard error. Any thread. */
final class Console {

    private final PrintStream out;
    private final PrintStream err;
    private volatile boolean json;
    private volatile boolean debug;

    Console(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    void speakJson() {
        json = true;
    }

    void showTraces() {
        debug = true;
    }

    boolean isJson() {
        return json;
    }

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    /** The result: the envelope {@code {ok: true, data}} for machines, text for people. */
    void result(Json data, String text) {
        if (json) {
            line(Json.Obj.builder().put("ok", true).put("data", data).build().toString());
        } else if (!text.isEmpty()) {
            line(text.stripTrailing());
        }
    }

    /** A line of a stream. */
    synchronized void line(String text) {
        out.println(text);
        out.flush();
    }

    /** Whether whoever read the output has gone away. */
    boolean isDeaf() {
        return out.checkError();
    }

    /** Something worth knowing that is not the result; machines are not told. */
    void note(String text) {
        if (!json) {
            err.println(text);
        }
    }

    /** The command did not succeed. Returns its exit code. */
    int fail(Failure failure) {
        if (json) {
            line(Json.Obj.builder()
                    .put("ok", false)
                    .put("error", failure.toJson())
                    .build()
                    .toString());
        } else {
            err.println(failure.text());
        }
        if (debug) {
            failure.printStackTrace(err);
        }
        return failure.exitCode();
    }
}
