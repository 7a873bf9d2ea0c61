package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import org.jspecify.annotations.Nullable;

/** Changes of commands and queries, kinds 700 to 709. */
sealed interface ExchangeFact extends Fact {

    String tenant();

    /** A request is like that from now on. */
    record Set(String tenant, Exchange exchange) implements ExchangeFact {

        static final int KIND = 700;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public boolean kept() {
            return !exchange.passing();
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            exchange.write(out);
        }
    }

    /** A request that has ended is forgotten; found in older logs only. */
    record Forgotten(String tenant, String key) implements ExchangeFact {

        static final int KIND = 701;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(key);
        }
    }

    /** A target has answered about a scope from that version. */
    record Version(String tenant, String target, String scope, long number, boolean kept) implements ExchangeFact {

        static final int KIND = 702;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(target).string(scope).varint(number);
        }
    }

    /** An answer is kept for those who ask the same again. */
    record Kept(String tenant, Snapshot snapshot, boolean kept) implements ExchangeFact {

        static final int KIND = 703;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            snapshot.write(out);
        }
    }

    /** Reads a fact back; null for a kind that is none of these. */
    static @Nullable ExchangeFact read(int kind, In in) {
        return switch (kind) {
            case Set.KIND -> new Set(in.string(), Exchange.read(in));
            case Forgotten.KIND -> new Forgotten(in.string(), in.string());
            case Version.KIND -> new Version(in.string(), in.string(), in.string(), in.varint(), true);
            case Kept.KIND -> new Kept(in.string(), Snapshot.read(in), true);
            default -> null;
        };
    }
}
