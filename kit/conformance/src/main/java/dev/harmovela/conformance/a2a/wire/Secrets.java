package dev.harmovela.conformance.a2a.wire;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** What must never be shown: credentials that were given or fetched. Any thread. */
public final class Secrets {

    /** Shorter values would hide half of every text. */
    private static final int SHORTEST = 4;

    private static final String HIDDEN = "***";

    private final List<String> values = new CopyOnWriteArrayList<>();

    /** Adds a value; short ones and null are passed over. */
    public void add(@Nullable String value) {
        if (value != null && value.length() >= SHORTEST && !values.contains(value)) {
            values.add(value);
        }
    }

    public void addAll(Collection<String> more) {
        more.forEach(this::add);
    }

    /** Whether the text shows one of them. */
    public boolean in(String text) {
        return values.stream().anyMatch(text::contains);
    }

    /** The text with each of them replaced. */
    public String hide(String text) {
        String hidden = text;
        for (String value : values) {
            hidden = hidden.replace(value, HIDDEN);
        }
        return hidden;
    }
}
