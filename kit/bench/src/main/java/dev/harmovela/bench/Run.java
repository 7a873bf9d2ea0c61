package dev.harmovela.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one run gave, or the medians of several.
 *
 * @param events published and done; of several runs the sum
 * @param perSecond events, from the first publish until everything was done
 * @param cpuMicros processor time of the server for one event
 * @param peakMegabytes largest resident memory of the server since it started
 * @param p50Micros from publish to done
 * @param p99Micros the same, slowest hundredth
 */
record Run(long events, double perSecond, double cpuMicros, double peakMegabytes, long p50Micros, long p99Micros) {

    /** Median of each figure; the largest memory. */
    static Run median(List<Run> runs) {
        return new Run(
                runs.stream().mapToLong(Run::events).sum(),
                median(runs, Run::perSecond),
                median(runs, Run::cpuMicros),
                runs.stream().mapToDouble(Run::peakMegabytes).max().orElse(0),
                (long) median(runs, Run::p50Micros),
                (long) median(runs, Run::p99Micros));
    }

    private static double median(List<Run> runs, ToDoubleFunction<Run> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }
}
