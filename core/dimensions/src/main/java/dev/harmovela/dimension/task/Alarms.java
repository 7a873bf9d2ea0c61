package dev.harmovela.dimension.task;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** The alarms that are set, earliest first; one entry per thing. */
final class Alarms {

    private final TreeSet<Alarm> armed = new TreeSet<>(Comparator.<Alarm>comparingLong(Alarm::armedAt)
            .thenComparingLong(Alarm::tie)
            .thenComparing(alarm -> alarm.home().tenant()));

    /** Sets, moves or, with {@link Alarm#NEVER}, clears the alarm. */
    void arm(Alarm alarm, long at) {
        if (alarm.armedAt() == at) {
            return;
        }
        if (alarm.armedAt() != Alarm.NEVER) {
            armed.remove(alarm);
        }
        alarm.armedAt(at);
        if (at != Alarm.NEVER) {
            armed.add(alarm);
        }
    }

    void disarm(Alarm alarm) {
        arm(alarm, Alarm.NEVER);
    }

    /** Time of the earliest alarm, {@link Alarm#NEVER} without one. */
    long next() {
        return armed.isEmpty() ? Alarm.NEVER : armed.first().armedAt();
    }

    /** The first alarms that are due and belong to the tenant of the very first, at most {@code max}. */
    List<Alarm> due(long now, int max) {
        List<Alarm> due = new ArrayList<>();
        int looked = 0;
        for (Alarm alarm : armed) {
            if (alarm.armedAt() > now || looked++ >= max) {
                break;
            }
            if (due.isEmpty() || alarm.home() == due.get(0).home()) {
                due.add(alarm);
            }
        }
        return due;
    }
}
