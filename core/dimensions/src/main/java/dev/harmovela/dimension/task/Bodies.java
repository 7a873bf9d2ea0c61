package dev.harmovela.dimension.task;

import java.util.ArrayList;
import java.util.List;

/** Which events live tasks still need from the log: the ones that submitted them. */
final class Bodies {

    private Bodies() {}

    static Tasks.Body of(Task task) {
        boolean waits = task.state == TaskState.SUBMITTED && task.owner == null;
        return new Tasks.Body(
                task.home().tenant(),
                task.id(),
                task.bodyLsn,
                waits ? task.born().target() : null);
    }

    static List<Tasks.Body> below(TaskLedger ledger, long lsn, int most) {
        List<Tasks.Body> found = new ArrayList<>();
        for (TenantTasks home : ledger.tenants()) {
            for (Task task : home.inOrder().values()) {
                if (found.size() >= most) {
                    return found;
                }
                if (needs(task) && task.bodyLsn < lsn) {
                    found.add(of(task));
                }
            }
        }
        return found;
    }

    static long floor(TaskLedger ledger) {
        long floor = Long.MAX_VALUE;
        for (TenantTasks home : ledger.tenants()) {
            for (Task task : home.inOrder().values()) {
                if (needs(task)) {
                    floor = Math.min(floor, task.bodyLsn);
                }
            }
        }
        return floor;
    }

    private static boolean needs(Task task) {
        return task.live() && task.bodyLsn > 0;
    }
}
