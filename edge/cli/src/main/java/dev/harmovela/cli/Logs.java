package dev.harmovela.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Log lines: one each, on standard error. */
final class Logs {

    private static final String FORMAT = "java.util.logging.SimpleFormatter.format";
    /** Held, since the log manager forgets loggers that nobody holds. */
    private static final Logger OURS = Logger.getLogger("dev.harmovela");

    private Logs() {}

    /** To be called before the first line is logged. */
    static void prepare() {
        if (System.getProperty(FORMAT) == null) {
            System.setProperty(FORMAT, "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        }
    }

    /** Shows lines of this product from {@code level} on; of libraries only what is wrong. */
    static void configure(String level) {
        OURS.setLevel(
                switch (level) {
                    case "error" -> Level.SEVERE;
                    case "warn" -> Level.WARNING;
                    case "debug" -> Level.FINE;
                    default -> Level.INFO;
                });
        Logger top = Logger.getLogger("");
        top.setLevel(Level.WARNING);
        for (Handler handler : top.getHandlers()) {
            handler.setLevel(Level.ALL);
        }
    }
}
