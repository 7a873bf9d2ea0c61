package dev.harmovela.bench;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The one thread of the load generator: reads what came, lets the work go on, writes once per connection. */
final class Loop implements AutoCloseable {

    private static final long PATIENCE_MILLIS = 50;

    private final Selector selector;
    private final List<Wire> wires = new ArrayList<>();

    Loop() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new BenchFailed("no selector", e);
        }
    }

    SelectionKey add(Wire wire) throws IOException {
        wires.add(wire);
        return wire.register(selector);
    }

    /** Closes a connection and forgets it. */
    void drop(Wire wire) {
        wires.remove(wire);
        wire.close();
    }

    /** Runs until {@code done}; fails after {@code limit}. */
    void until(BooleanSupplier done, Duration limit, String what) {
        until(done, () -> {}, limit, what);
    }

    /** Runs until {@code done}, calling {@code step} after everything that came was read; fails after {@code limit}. */
    void until(BooleanSupplier done, Runnable step, Duration limit, String what) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            step.run();
            flush();
            while (!done.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new BenchFailed(what + " took longer than " + limit.toSeconds() + " s");
                }
                selector.select(PATIENCE_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.isReadable() && key.attachment() instanceof Wire wire) {
                        wire.readable();
                    }
                }
                selector.selectedKeys().clear();
                step.run();
                flush();
            }
        } catch (IOException e) {
            throw new BenchFailed(what + " broke off", e);
        }
    }

    private void flush() throws IOException {
        for (int i = 0; i < wires.size(); i++) {
            wires.get(i).flush();
        }
    }

    @Override
    public void close() {
        wires.forEach(Wire::close);
        wires.clear();
        try {
            selector.close();
        } catch (IOException e) {
            throw new BenchFailed("the selector did not close", e);
        }
    }
}
