package dev.harmovela.harness.frame;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.Out;

/** The log may let go of everything before {@code lsn}; files are deleted only after this is durable. */
public record Trimmed(long lsn) implements Fact {

    static final int KIND = 2;

    @Override
    public int kind() {
        return KIND;
    }

    @Override
    public void write(Out out) {
        out.varint(lsn);
    }
}
