package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The shared state of one tenant: a value and a version per key, in the order of the keys. */
final class StateRegister {

    static final int MOST_KEYS = 10_000;
    static final long MOST_BYTES = 16L << 20;
    static final int MOST_VALUE_BYTES = 64 * 1024;

    private final TreeMap<String, StateValue> values = new TreeMap<>();
    private int live;
    private long bytes;

    @Nullable StateValue find(String key) {
        return values.get(key);
    }

    /** Whether one more value of that size fits; replacing one does as long as the bytes do. */
    boolean hasRoom(String key, int size) {
        StateValue before = values.get(key);
        boolean isNew = before == null || before.gone();
        return (!isNew || live < MOST_KEYS) && bytes - sizeOf(before) + key.length() + size <= MOST_BYTES;
    }

    /** Those with a value, beginning behind a key. */
    Collection<StateValue> after(String key) {
        return values.tailMap(key, false).values();
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    void set(StateValue value) {
        StateValue before = values.put(value.key(), value);
        bytes += sizeOf(value) - sizeOf(before);
        live += (value.gone() ? 0 : 1) - (before == null || before.gone() ? 0 : 1);
        if (values.size() > 2 * MOST_KEYS) {
            forgetOneGone();
        }
    }

    /** A key that has no value any more keeps its version until there are too many of them. */
    private void forgetOneGone() {
        values.values().stream()
                .filter(StateValue::gone)
                .map(StateValue::key)
                .findFirst()
                .ifPresent(values::remove);
    }

    void gone(String key) {
        StateValue value = values.get(key);
        if (value != null && !value.gone()) {
            set(value.invalidated());
        }
    }

    void stale(String key) {
        StateValue value = values.get(key);
        if (value != null && !value.gone()) {
            values.put(key, value.grownStale());
        }
    }

    private static long sizeOf(@Nullable StateValue value) {
        return value == null || value.gone()
                ? 0
                : value.key().length() + value.json().length();
    }

    void snapshot(Out out) {
        out.varint(values.size());
        values.values().forEach(value -> value.write(out));
    }

    static StateRegister restore(In in) {
        StateRegister register = new StateRegister();
        for (int n = in.count(); n > 0; n--) {
            register.set(StateValue.read(in));
        }
        return register;
    }

    /** Every key with what stands under it. */
    List<StateValue> all() {
        return List.copyOf(values.values());
    }
}
