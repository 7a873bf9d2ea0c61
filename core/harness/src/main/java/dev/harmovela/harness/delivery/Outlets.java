package dev.harmovela.harness.delivery;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wires of one feed, served in turn. */
final class Outlets {

    private final List<Outlet> all = new ArrayList<>();
    private int turn;

    boolean isEmpty() {
        return all.isEmpty();
    }

    Outlet first() {
        return all.get(0);
    }

    /** Adds a wire; false when it is there already. */
    boolean add(Outlet outlet) {
        return !all.contains(outlet) && all.add(outlet);
    }

    boolean remove(Outlet outlet) {
        return all.remove(outlet);
    }

    void clear() {
        all.clear();
    }

    /** Whether one of them has room. */
    boolean ready() {
        for (Outlet outlet : all) {
            if (outlet.hasRoom()) {
                return true;
            }
        }
        return false;
    }

    /** The next one in turn that has room, or null. */
    @Nullable Outlet pick() {
        for (int i = 0; i < all.size(); i++) {
            Outlet outlet = all.get((turn + i) % all.size());
            if (outlet.hasRoom()) {
                turn = (turn + i + 1) % all.size();
                return outlet;
            }
        }
        return null;
    }
}
