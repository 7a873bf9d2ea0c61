package dev.harmovela.conformance.a2a.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a check came to.
 *
 * @param status its verdict
 * @param message why, unless it passed
 * @param notes what is worth knowing either way, such as a deviation that is tolerated
 */
public record Outcome(Status status, @Nullable String message, List<String> notes) {

    /** The verdict of a check. */
    public enum Status {
        PASS,
        FAIL,
        /** The kit could not run it; never a pass. */
        SKIP,
        /** The card does not offer what it needs, or the endpoint does not react to the echo vocabulary. */
        NOT_APPLICABLE;

        /** As reports spell it. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public Outcome {
        notes = List.copyOf(notes);
    }

    static Outcome of(Status status, @Nullable String message) {
        return new Outcome(status, message, List.of());
    }

    /** The worst of several interfaces: a failure, then a skip, then a pass. */
    static Outcome worst(Map<String, Outcome> each) {
        Status status = Status.NOT_APPLICABLE;
        for (Status candidate : List.of(Status.PASS, Status.SKIP, Status.FAIL)) {
            if (each.values().stream().anyMatch(one -> one.status == candidate)) {
                status = candidate;
            }
        }
        Status worst = status;
        String message = each.entrySet().stream()
                .filter(one -> one.getValue().status == worst && one.getValue().message != null)
                .map(one -> one.getKey() + ": " + one.getValue().message)
                .distinct()
                .collect(Collectors.joining("; "));
        List<String> notes = new ArrayList<>();
        each.forEach((name, one) -> one.notes.forEach(note -> notes.add(name + ": " + note)));
        return new Outcome(status, message.isEmpty() ? null : message, notes);
    }
}
