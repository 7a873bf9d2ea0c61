package dev.harmovela.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * What it was measured on.
 *
 * @param load processes that wanted a core in the minute before, by the operating system's count
 */
record Machine(
        String day,
        int cores,
        String memory,
        String system,
        String disk,
        String java,
        String redis,
        String nats,
        double load) {

    private static final double BUSY_SHARE = 0.5;

    static Machine here(Tools tools) {
        return new Machine(
                LocalDate.now(ZoneOffset.UTC).toString(),
                Runtime.getRuntime().availableProcessors(),
                memorySize(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                disk(tools.work()),
                System.getProperty("java.vm.version"),
                tools.redis() == null ? "none" : Tools.version(tools.redis()).replaceAll(" sha=.*", ""),
                tools.nats() == null ? "none of 2.10 or newer" : Tools.version(tools.nats()),
                loadNow());
    }

    /** Whether others used the machine just before: ratios then say little. */
    boolean busy() {
        return load > cores * BUSY_SHARE;
    }

    private static String memorySize() {
        String kilobytes = read("/proc/meminfo").lines().findFirst().orElse("0").replaceAll("[^0-9]", "");
        return String.format(Locale.ROOT, "%.0f GiB", Double.parseDouble(kilobytes) / (1 << 20));
    }

    private static String disk(Path work) {
        try {
            return Files.getFileStore(Files.createDirectories(work)).type();
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static double loadNow() {
        return Double.parseDouble(read("/proc/loadavg").split(" ")[0]);
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new BenchFailed("this needs Linux: no " + file, e);
        }
    }
}
