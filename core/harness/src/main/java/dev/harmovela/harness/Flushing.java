package dev.harmovela.harness;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What happens once after outputs were let out: what waited for that, then one flush for each wire. One owner. */
final class Flushing {

    private final Set<Conn> unflushed = new LinkedHashSet<>();
    private final List<Runnable> afterwards = new ArrayList<>();

    void later(Conn conn) {
        unflushed.add(conn);
    }

    void afterwards(Runnable action) {
        afterwards.add(action);
    }

    void flush() {
        if (!afterwards.isEmpty()) {
            List<Runnable> waiting = List.copyOf(afterwards);
            afterwards.clear();
            waiting.forEach(Runnable::run);
        }
        if (!unflushed.isEmpty()) {
            List<Conn> wires = List.copyOf(unflushed);
            unflushed.clear();
            wires.forEach(Conn::flush);
        }
    }
}
