package dev.harmovela.runtime;

import dev.harmovela.transport.stdio.StdioTransport;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A hub for the process at the other end of a pipe (§13). */
public final class StdioDaemon {

    private StdioDaemon() {}

    /**
     * Takes standard output for events; everything that anybody prints afterwards goes to standard error (TRN-01).
     * To be called before anything else in the process.
     */
    public static PrintStream claimStandardOutput() {
        return StdioTransport.claimStandardOutput();
    }

    /**
     * Serves until the input ends or its reader goes away. Blocks.
     *
     * @param out what {@link #claimStandardOutput} gave
     * @return the exit code
     * @throws StartFailed when a data directory was named and cannot be had
     */
    public static int run(DaemonConfig config, InputStream in, PrintStream out, PrintStream err)
            throws StartFailed, InterruptedException {
        Stores.prepare(config.data());
        try (SmallHub small = new SmallHub(config, List.of("stdio"))) {
            AtomicInteger failed = new AtomicInteger();
            small.hub().health().onFatal(cause -> failed.set(Daemon.STORAGE_FAILED));
            int code = new StdioTransport(in, out, err, small.hub()).run();
            return failed.get() == 0 ? code : failed.get();
        } catch (IOException failure) {
            throw Stores.explain(config.data(), failure);
        }
    }
}
