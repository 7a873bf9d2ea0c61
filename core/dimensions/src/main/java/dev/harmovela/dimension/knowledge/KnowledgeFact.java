package dev.harmovela.dimension.knowledge;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of what is known, kinds 800 to 829. Times are hub time in epoch milliseconds. */
sealed interface KnowledgeFact extends Fact {

    String tenant();

    /** A key of the shared state has a value. */
    record StateSet(String tenant, StateValue value) implements KnowledgeFact {

        static final int KIND = 800;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            value.write(out);
        }
    }

    /** What was written under a key no longer holds; the key keeps its version. */
    record StateGone(String tenant, String key) implements KnowledgeFact {

        static final int KIND = 801;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(key);
        }
    }

    /** Something is fresh until then. */
    record WindowSet(String tenant, Window window) implements KnowledgeFact {

        static final int KIND = 802;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            window.write(out);
        }
    }

    /**
     * A window is over.
     *
     * @param stale whether it ran out, which makes what it was about stale; otherwise it was withdrawn
     */
    record WindowClosed(String tenant, Window.About about, String resource, boolean stale) implements KnowledgeFact {

        static final int KIND = 803;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).varint(about.ordinal()).string(resource).bool(stale);
        }
    }

    /** Somebody holds a belief, or holds it otherwise than before. */
    record BeliefHeld(String tenant, Belief belief) implements KnowledgeFact {

        static final int KIND = 810;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant);
            belief.write(out);
        }
    }

    /** Somebody holds a belief no longer. */
    record BeliefDropped(String tenant, String beliefId, String source) implements KnowledgeFact {

        static final int KIND = 811;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(beliefId).string(source);
        }
    }

    /** What a belief was derived from does not hold any more. */
    record BeliefDoubted(String tenant, String beliefId, String source) implements KnowledgeFact {

        static final int KIND = 812;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(beliefId).string(source);
        }
    }

    /**
     * Somebody attests to an event, or does so no longer.
     *
     * @param eventId the event that is attested to
     * @param by who attests
     */
    record Attested(String tenant, String eventId, String by, boolean holds) implements KnowledgeFact {

        static final int KIND = 820;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public void write(Out out) {
            out.string(tenant).string(eventId).string(by).bool(holds);
        }
    }

    /**
     * Reads a fact back; null for a kind that is none of these.
     *
     * @throws IllegalArgumentException for bytes that are cut off
     */
    static @Nullable KnowledgeFact read(int kind, In in) {
        return switch (kind) {
            case StateSet.KIND -> new StateSet(in.string(), StateValue.read(in));
            case StateGone.KIND -> new StateGone(in.string(), in.string());
            case WindowSet.KIND -> new WindowSet(in.string(), Window.read(in));
            case WindowClosed.KIND ->
                new WindowClosed(in.string(), Window.About.values()[in.count()], in.string(), in.bool());
            case BeliefHeld.KIND -> new BeliefHeld(in.string(), Belief.read(in));
            case BeliefDropped.KIND -> new BeliefDropped(in.string(), in.string(), in.string());
            case BeliefDoubted.KIND -> new BeliefDoubted(in.string(), in.string(), in.string());
            case Attested.KIND -> new Attested(in.string(), in.string(), in.string(), in.bool());
            default -> null;
        };
    }

    static void writeTexts(Out out, List<String> texts) {
        out.varint(texts.size());
        texts.forEach(out::string);
    }

    static List<String> readTexts(In in) {
        List<String> texts = new ArrayList<>();
        for (int n = in.count(); n > 0; n--) {
            texts.add(in.string());
        }
        return texts;
    }
}
