package dev.harmovela.dimension.compensation;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/**
 * A compensation is like that from now on; kind 840.
 *
 * @param tenant whose it is
 */
record CompensationFact(String tenant, Compensation compensation) implements Fact {

    static final int KIND = 840;

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public void write(Out out) {
        out.string(tenant);
        compensation.write(out);
    }

    /** Reads a fact back; null for another kind. */
    static @Nullable CompensationFact read(int kind, In in) {
        return kind == KIND ? new CompensationFact(in.string(), Compensation.read(in)) : null;
    }
}
