package dev.harmovela.testkit.sim;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/** Runs many seeds, two at a time, and tells of all that broke a promise. */
final class Seeds {

    private Seeds() {}

    static void run(long first, int count, LongConsumer simulation) throws InterruptedException {
        List<String> broken = new ArrayList<>();
        try (ExecutorService both = Executors.newFixedThreadPool(2)) {
            List<Future<?>> runs = new ArrayList<>();
            for (long seed = first; seed < first + count; seed++) {
                long one = seed;
                runs.add(both.submit(() -> simulation.accept(one)));
            }
            for (Future<?> run : runs) {
                try {
                    run.get();
                } catch (ExecutionException e) {
                    broken.add(String.valueOf(e.getCause().getMessage()));
                }
            }
        }
        if (!broken.isEmpty()) {
            broken.forEach(one -> System.err.println(one.lines().findFirst().orElse("")));
            fail(broken.size() + " of " + count + " seeds broke a promise; the first:\n" + broken.getFirst());
        }
    }
}
