package dev.harmovela.conformance.matrix;

import dev.harmovela.conformance.Target;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One implementation over one transport.
 *
 * @param name what the column is called
 * @param transport identifier of the transport profile, {@code in-process} for none
 * @param command how it is reached, as {@code --target} takes it; null for a target of this process
 * @param target gives it, null when it cannot be run here
 * @param reason why it cannot, null when it can
 */
public record Column(
        String name,
        String transport,
        @Nullable String command,
        @Nullable Supplier<Target> target,
        @Nullable String reason) {

    /** A target that can be judged. */
    public static Column of(String name, String transport, @Nullable String command, Supplier<Target> target) {
        return new Column(name, transport, command, target, null);
    }

    /** A column whose cells all say that they were not run, and why. */
    public static Column notRun(String name, String transport, String reason) {
        return new Column(name, transport, null, null, reason);
    }
}
