package dev.harmovela.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The measurements: {@code ./dev bench [--quick] [--out DIR] [ROW …]}. */
public final class Main {

    private static final int USAGE = 2;
    private static final String HELP = """
            ./dev bench [--quick] [--alone] [--out DIR] [--work DIR] [ROW …]

            Measures the hub beside Redis Streams and NATS JetStream, each on a free port with a directory of its own.
            A row is chosen by its name or by the first part of it; all rows without one.
              --quick     short runs, less than five minutes in all
              --out DIR   where performance.md, .svg, .json go (a full run: docs/reference; else kit/bench/target)
              --work DIR  where the servers keep their data while they are measured (kit/bench/target/work)
              --alone     the hub without its peers, to see where its time goes
              --list      the names of the rows
            scripts/bench-peers.sh fetches a nats-server that is new enough; without one its columns are NOT RUN.
            """;

    private final Path root;
    private final Set<String> words = new LinkedHashSet<>();
    private Effort effort = Effort.FULL;
    private List<Contender> contenders = Contender.ALL;
    private Path out;
    private Path work;

    private Main(Path root) {
        this.root = root;
        this.out = root.resolve("kit/bench/target");
        this.work = root.resolve("kit/bench/target/work");
    }

    public static void main(String[] arguments) throws IOException {
        String home = System.getProperty("harmovela.dist");
        if (home == null) {
            System.err.println("Start this with ./dev bench.");
            System.exit(USAGE);
            return;
        }
        Path root = Path.of(Files.readString(Path.of(home, "home")).strip());
        System.exit(new Main(root).run(List.of(arguments)));
    }

    private int run(List<String> arguments) throws IOException {
        boolean placed = false;
        List<String> rest = new ArrayList<>(arguments);
        while (!rest.isEmpty()) {
            String word = rest.removeFirst();
            switch (word) {
                case "--help", "-h" -> {
                    System.out.print(HELP);
                    return 0;
                }
                case "--list" -> {
                    Row.named(Set.of()).forEach(row -> System.out.println(row.wire()));
                    return 0;
                }
                case "--quick" -> effort = Effort.QUICK;
                case "--alone" -> contenders = List.of(Contender.HUB);
                case "--out", "--work" -> {
                    if (rest.isEmpty()) {
                        return usage(word + " needs a directory");
                    }
                    Path given = Path.of(rest.removeFirst()).toAbsolutePath();
                    if (word.equals("--work")) {
                        work = given;
                    } else {
                        out = given;
                        placed = true;
                    }
                }
                default -> words.add(word);
            }
        }
        List<Row> rows = Row.named(words);
        if (rows.isEmpty()) {
            return usage("no row is called " + String.join(" or ", words) + "; --list names them");
        }
        boolean whole = words.isEmpty() && effort == Effort.FULL && contenders == Contender.ALL;
        if (!placed && whole) {
            out = root.resolve("docs/reference");
        }
        write(measure(rows));
        return 0;
    }

    private static int usage(String problem) {
        System.err.println(problem);
        System.err.print(HELP);
        return USAGE;
    }

    private Results measure(List<Row> rows) {
        Tools tools = Tools.find(root, work);
        Singles singles = new Singles(tools, effort, Main::progress);
        Contest contest = new Contest(tools, effort, contenders, Main::progress);
        Results results = new Results(Machine.here(tools), effort);
        if (results.machine().busy()) {
            progress("others use this machine: expect rough figures");
        }
        singles.prepare();
        for (Row row : rows) {
            if (row.contest()) {
                results.contests().put(row, contest.run(row));
            } else {
                try {
                    results.figures().put(row, singles.run(row));
                } catch (BenchFailed failed) {
                    progress(row.wire() + " not run: " + failed.getMessage());
                }
            }
        }
        return results;
    }

    private void write(Results results) throws IOException {
        Report report = new Report(results);
        System.out.print(report.text());
        Files.createDirectories(out);
        Files.writeString(out.resolve("performance.md"), report.markdown("performance.svg"));
        Files.writeString(out.resolve("performance.svg"), new Plot(results).svg());
        Files.writeString(out.resolve("performance.json"), report.json() + "\n");
        System.out.println("\nwritten to " + out + "/performance.{md,svg,json}");
    }

    private static void progress(String line) {
        System.err.println("[bench] " + line);
    }
}
