package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A process that answers as the suite wants, input that is not JSON on standard error. */
final class StdioParrot {

    private StdioParrot() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        err.println("parrot listens");
        ParrotHub hub = new ParrotHub(Suites.all(), UnaryOperator.identity());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (arguments.length > 0) {
                System.exit(Integer.parseInt(arguments[0]));
            }
            hub.send(line);
            boolean broken = SentLine.of(line).form() == SentLine.Form.NO_JSON;
            for (Incoming said = hub.receive(0); said != null; said = hub.receive(0)) {
                boolean refusal = Wire.refusal((Json.Obj) Json.parse(said.text()));
                (broken && refusal ? err : out).println(said.text());
            }
        }
    }
}
