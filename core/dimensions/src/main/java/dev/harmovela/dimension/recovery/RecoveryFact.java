package dev.harmovela.dimension.recovery;

import dev.harmovela.contract.Fact;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/** What moves delivery positions (§6); kinds 200 to 299. */
public sealed interface RecoveryFact extends Fact {

    /** The subscription whose position moves. */
    String subscription();

    /** A position begins: nothing at or before {@code startLsn} belongs to it. */
    record Started(String subscription, long startLsn) implements RecoveryFact {
        @Override
        public int kind() {
            return 200;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(startLsn);
        }

        static Started read(In in) {
            return new Started(in.string(), in.varint());
        }
    }

    /** A position ends with its subscription. */
    record Ended(String subscription) implements RecoveryFact {
        @Override
        public int kind() {
            return 201;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
        }

        static Ended read(In in) {
            return new Ended(in.string());
        }
    }

    /**
     * Sequence numbers that need no more work, and the floor after that.
     *
     * @param ranges pairs of first and last sequence
     * @param floorLsn log position up to which everything that matches is settled
     * @param floorSeq sequence of the last match at or before {@code floorLsn}
     * @param principal who settled them, empty for the hub
     * @param lsns where their events are in the log, one for each sequence in {@code ranges}, 0 where that is not
     *     known; empty when the hub settled them
     */
    record Settled(
            String subscription,
            Outcome outcome,
            long[] ranges,
            long floorLsn,
            long floorSeq,
            String principal,
            long[] lsns)
            implements RecoveryFact {

        public static final int KIND = 202;
        public static final int VERSION = 2;

        /** What the hub settled by itself. */
        public Settled(String subscription, Outcome outcome, long[] ranges, long floorLsn, long floorSeq) {
            this(subscription, outcome, ranges, floorLsn, floorSeq, "", new long[0]);
        }

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public int version() {
            return VERSION;
        }

        /** The same one delivery, settled by the last word of somebody. */
        public Settled by(String who, long lsn) {
            return new Settled(subscription, outcome, ranges, floorLsn, floorSeq, who, new long[] {lsn});
        }

        /** How many deliveries this is about. */
        public long count() {
            long count = 0;
            for (int i = 0; i < ranges.length; i += 2) {
                count += ranges[i + 1] - ranges[i] + 1;
            }
            return count;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(outcome.ordinal());
            out.varint(ranges.length);
            for (long bound : ranges) {
                out.varint(bound);
            }
            out.varint(floorLsn);
            out.varint(floorSeq);
            out.string(principal);
            out.varint(lsns.length);
            long before = 0;
            for (long lsn : lsns) {
                long step = lsn - before;
                out.varint(step << 1 ^ step >> 63);
                before = lsn;
            }
        }

        static Settled read(int version, In in) {
            String subscription = in.string();
            Outcome outcome = Outcome.values()[(int) in.varint()];
            long[] ranges = new long[in.count()];
            for (int i = 0; i < ranges.length; i++) {
                ranges[i] = in.varint();
            }
            long floorLsn = in.varint();
            long floorSeq = in.varint();
            if (version == 1) {
                return new Settled(subscription, outcome, ranges, floorLsn, floorSeq);
            }
            String principal = in.string();
            long[] lsns = new long[in.count()];
            long before = 0;
            for (int i = 0; i < lsns.length; i++) {
                long step = in.varint();
                before += step >>> 1 ^ -(step & 1);
                lsns[i] = before;
            }
            return new Settled(subscription, outcome, ranges, floorLsn, floorSeq, principal, lsns);
        }
    }

    /**
     * A delivery failed and waits for its next attempt.
     *
     * @param principal whose refusal that was, empty for the hub's clock; version 1 did not say
     */
    record Failed(String subscription, long seq, Failing failing, String principal) implements RecoveryFact {

        public static final int KIND = 203;
        public static final int VERSION = 2;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public int version() {
            return VERSION;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(seq);
            failing.write(out);
            out.string(principal);
        }

        static Failed read(int version, In in) {
            return new Failed(in.string(), in.varint(), Failing.read(in), version == 1 ? "" : in.string());
        }
    }

    /** A matching event that was never sent and takes no sequence number. */
    record Skipped(String subscription, long lsn, Outcome outcome) implements RecoveryFact {
        @Override
        public int kind() {
            return 204;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(lsn);
            out.varint(outcome.ordinal());
        }

        static Skipped read(In in) {
            return new Skipped(in.string(), in.varint(), Outcome.values()[(int) in.varint()]);
        }
    }

    /**
     * The reader lost what lies in {@code fromLsn..toLsn}; what follows goes on with {@code floorSeq + 1}.
     *
     * @param handedSeq highest sequence handed out before the loss: a consumer that settles no more than these need
     *     not have heard of it; version 1 has none and means {@code floorSeq}
     */
    record Gap(String subscription, long fromLsn, long toLsn, long floorSeq, String reason, long handedSeq)
            implements RecoveryFact {
        public static final int KIND = 205;
        /** Since 2 it says what was handed out before. */
        public static final int VERSION = 2;

        @Override
        public int kind() {
            return KIND;
        }

        @Override
        public int version() {
            return VERSION;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(fromLsn);
            out.varint(toLsn);
            out.varint(floorSeq);
            out.string(reason);
            out.varint(handedSeq);
        }

        static Gap read(int version, In in) {
            String subscription = in.string();
            long fromLsn = in.varint();
            long toLsn = in.varint();
            long floorSeq = in.varint();
            String reason = in.string();
            long handedSeq = version == 1 ? floorSeq : in.varint();
            return new Gap(subscription, fromLsn, toLsn, floorSeq, reason, handedSeq);
        }
    }

    /** Reading moves to another place of the log (a replay): everything up to {@code lsn} counts as read. */
    record Moved(String subscription, long lsn) implements RecoveryFact {
        @Override
        public int kind() {
            return 206;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(lsn);
        }

        static Moved read(In in) {
            return new Moved(in.string(), in.varint());
        }
    }

    /**
     * The reader has reached the head of the log and knows what its counts have to be: {@code history} matches lay
     * before the subscription began, {@code lost} were gone before they could be read.
     */
    record Balanced(String subscription, long history, long lost) implements RecoveryFact {
        @Override
        public int kind() {
            return 207;
        }

        @Override
        public void write(Out out) {
            out.string(subscription);
            out.varint(history);
            out.varint(lost);
        }

        static Balanced read(In in) {
            return new Balanced(in.string(), in.varint(), in.varint());
        }
    }

    /**
     * Reads a fact of this dimension.
     *
     * @return the fact, or null when the kind is none of ours
     */
    static @Nullable RecoveryFact read(int kind, int version, In in) {
        return switch (kind) {
            case 200 -> Started.read(in);
            case 201 -> Ended.read(in);
            case Settled.KIND -> Settled.read(version, in);
            case Failed.KIND -> Failed.read(version, in);
            case 204 -> Skipped.read(in);
            case Gap.KIND -> Gap.read(version, in);
            case 206 -> Moved.read(in);
            case 207 -> Balanced.read(in);
            default -> null;
        };
    }

    /**
     * A delivery between two attempts.
     *
     * @param lsn where the event is in the log
     * @param attempts failures so far, at least 1
     * @param notBefore epoch milliseconds of the next attempt
     * @param firstFailedAt epoch milliseconds of the first failure
     * @param lastError what the consumer or the clock said last
     * @param history the failures that are remembered, oldest first
     */
    record Failing(
            long lsn, int attempts, long notBefore, long firstFailedAt, ProtocolError lastError, Json.Arr history) {
        void write(Out out) {
            out.varint(lsn);
            out.varint(attempts);
            out.varint(notBefore);
            out.varint(firstFailedAt);
            out.string(lastError.toJson().toString());
            out.string(history.toString());
        }

        static Failing read(In in) {
            return new Failing(
                    in.varint(),
                    (int) in.varint(),
                    in.varint(),
                    in.varint(),
                    ProtocolError.parse((Json.Obj) Json.parse(in.string())),
                    (Json.Arr) Json.parse(in.string()));
        }
    }
}
