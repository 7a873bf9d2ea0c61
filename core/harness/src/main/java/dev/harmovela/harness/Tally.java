package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a shard counts since its run began and no log entry tells: refusals, what was not stored, what was lost.
 * Single owner.
 */
final class Tally {

    private static final int MOST_REASONS = 16;

    private final long[] refusals = new long[ErrorCode.values().length];
    private final Map<String, Long> gaps = new TreeMap<>();
    private final long[] lagged = new long[LagPolicy.Action.values().length];
    private long passed;
    private long timeouts;

    void refused(ErrorCode code) {
        refusals[code.ordinal()]++;
    }

    /** An event went by that asked for best effort. */
    void passed() {
        passed++;
    }

    /** A subscription lost what it had not read yet. */
    void gap(String reason) {
        if (gaps.containsKey(reason) || gaps.size() < MOST_REASONS) {
            gaps.merge(reason, 1L, Long::sum);
        }
    }

    /** A session failed because nothing was heard of its peer. */
    void sessionTimedOut() {
        timeouts++;
    }

    long sessionTimeouts() {
        return timeouts;
    }

    /** A subscription passed a bound of its own, and this was done. */
    void lagged(LagPolicy.Action action) {
        lagged[action.ordinal()]++;
    }

    Map<String, Long> lagged() {
        Map<String, Long> byAction = new TreeMap<>();
        for (LagPolicy.Action action : LagPolicy.Action.values()) {
            byAction.put(action.wire(), lagged[action.ordinal()]);
        }
        return byAction;
    }

    long bestEffort() {
        return passed;
    }

    Map<ErrorCode, Long> refusals() {
        Map<ErrorCode, Long> byCode = new EnumMap<>(ErrorCode.class);
        for (ErrorCode code : ErrorCode.values()) {
            byCode.put(code, refusals[code.ordinal()]);
        }
        return byCode;
    }

    Map<String, Long> gaps() {
        return new TreeMap<>(gaps);
    }
}
