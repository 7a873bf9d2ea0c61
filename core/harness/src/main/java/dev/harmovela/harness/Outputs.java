package dev.harmovela.harness;

import java.util.ArrayDeque;

/**
 * The output barrier: whatever leaves the shard waits here, in order, until the log position it depends on is durable.
 *
 * <p>Memory may be ahead of the disk; nobody outside may see it. One owner, not thread-safe.
 */
final class Outputs {

    private final ArrayDeque<Output> queue = new ArrayDeque<>();
    private boolean barrier = true;

    /** Something that leaves the shard once {@code tag} is durable. */
    abstract static class Output {
        private final long tag;

        Output(long tag) {
            this.tag = tag;
        }

        abstract void leave();
    }

    /** An output that only runs something. */
    static final class Run extends Output {
        private final Runnable action;

        Run(long tag, Runnable action) {
            super(tag);
            this.action = action;
        }

        @Override
        void leave() {
            action.run();
        }
    }

    void add(Output output) {
        queue.add(output);
    }

    /** Lets everything out whose position is durable; returns whether anything left. */
    boolean release(long durableLsn) {
        boolean any = false;
        for (Output next = queue.peek(); next != null; next = queue.peek()) {
            if (barrier && next.tag > durableLsn) {
                break;
            }
            queue.poll();
            next.leave();
            any = true;
        }
        return any;
    }

    int waiting() {
        return queue.size();
    }

    /** Throws away what never became durable: the shard starts again from the log. */
    void clear() {
        queue.clear();
    }

    /** Switches the barrier off; only the proof that tests notice does that. */
    void sabotage() {
        barrier = false;
    }
}
