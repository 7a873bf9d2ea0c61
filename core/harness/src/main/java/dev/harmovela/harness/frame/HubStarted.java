package dev.harmovela.harness.frame;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** First fact of every run: liveness deadlines begin anew, promises stay as they are. */
public record HubStarted(long epoch, long now) implements Fact {

    @Override
    public int kind() {
        return 1;
    }

    @Override
    public void write(Out out) {
        out.varint(epoch);
        out.varint(now);
    }

    static @Nullable HubStarted read(int kind, In in) {
        return kind == 1 ? new HubStarted(in.varint(), in.varint()) : null;
    }
}
