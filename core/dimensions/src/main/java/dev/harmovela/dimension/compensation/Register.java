package dev.harmovela.dimension.compensation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The compensations of one tenant, in the order in which the work was completed. */
final class Register {

    static final int MOST = 50_000;

    private final LinkedHashMap<String, Compensation> byId = new LinkedHashMap<>();
    private final Map<String, Set<String>> byParent = new LinkedHashMap<>();
    private final Map<String, String> byTask = new LinkedHashMap<>();
    private final Map<String, String> byWork = new LinkedHashMap<>();

    boolean isEmpty() {
        return byId.isEmpty();
    }

    List<Compensation> all() {
        return List.copyOf(byId.values());
    }

    @Nullable Compensation find(String id) {
        return byId.get(id);
    }

    @Nullable Compensation ofTask(String taskId) {
        String id = byTask.get(taskId);
        return id == null ? null : byId.get(id);
    }

    /** The one that this task carries out. */
    @Nullable Compensation ofWork(String workId) {
        String id = byWork.get(workId);
        return id == null ? null : byId.get(id);
    }

    /** Those below a task that wait to be asked for, what was completed last first. */
    List<Compensation> waitingBelow(String parentId) {
        return byParent.getOrDefault(parentId, Set.of()).stream()
                .map(byId::get)
                .filter(one -> one != null && one.state() == CompensationState.REGISTERED)
                .toList()
                .reversed();
    }

    void set(Compensation compensation) {
        byId.put(compensation.id(), compensation);
        byTask.put(compensation.taskId(), compensation.id());
        if (!compensation.workId().isEmpty()) {
            byWork.put(compensation.workId(), compensation.id());
        }
        if (compensation.parentId() != null) {
            byParent.computeIfAbsent(compensation.parentId(), _ -> new LinkedHashSet<>())
                    .add(compensation.id());
        }
        if (byId.size() > MOST) {
            forget(byId.pollFirstEntry().getValue());
        }
    }

    private void forget(Compensation one) {
        byTask.remove(one.taskId());
        byWork.remove(one.workId());
        Set<String> siblings = one.parentId() == null ? null : byParent.get(one.parentId());
        if (siblings != null && siblings.remove(one.id()) && siblings.isEmpty()) {
            byParent.remove(one.parentId());
        }
    }

    void snapshot(Out out) {
        out.varint(byId.size());
        byId.values().forEach(one -> one.write(out));
    }

    static Register restore(In in) {
        Register register = new Register();
        for (int n = in.count(); n > 0; n--) {
            register.set(Compensation.read(in));
        }
        return register;
    }
}
