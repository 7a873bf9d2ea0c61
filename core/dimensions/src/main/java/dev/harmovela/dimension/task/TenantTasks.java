package dev.harmovela.dimension.task;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one tenant and the indexes over them. Its own alarm is housekeeping: what ended is shrunk, then
 * forgotten.
 */
final class TenantTasks extends Alarm {

    /** Children of one parent that are known in full, in the order of submission. */
    static final class Family {
        final NavigableMap<Long, Task> members = new TreeMap<>();
        int live;
    }

    private final String tenant;
    private final Map<String, Task> byId = new HashMap<>();
    private final NavigableMap<Long, Task> inOrder = new TreeMap<>();
    private final SequencedMap<String, Tombstone> tombstones = new LinkedHashMap<>();
    private final SequencedMap<String, CancelProcess> processes = new LinkedHashMap<>();
    /** Ended tasks that may shrink: nothing known in full stands below them. Their order is state. */
    private final SequencedSet<Task> shrinkable = new LinkedHashSet<>();

    private final Map<String, Family> families = new HashMap<>();
    private final Map<String, NavigableMap<Long, Task>> owners = new HashMap<>();
    private int live;

    TenantTasks(String tenant) {
        super(-1);
        this.tenant = tenant;
    }

    @Override
    TenantTasks home() {
        return this;
    }

    String tenant() {
        return tenant;
    }

    boolean isEmpty() {
        return byId.isEmpty() && tombstones.isEmpty();
    }

    int live() {
        return live;
    }

    @Nullable Known find(String id) {
        Task task = byId.get(id);
        return task != null ? task : tombstones.get(id);
    }

    @Nullable Task task(String id) {
        return byId.get(id);
    }

    /** Every task known in full, in the order of submission. */
    NavigableMap<Long, Task> inOrder() {
        return inOrder;
    }

    SequencedMap<String, Tombstone> tombstones() {
        return tombstones;
    }

    SequencedMap<String, CancelProcess> processes() {
        return processes;
    }

    SequencedSet<Task> shrinkable() {
        return shrinkable;
    }

    /** Live tasks of that owner, in the order of submission. */
    List<Task> ownedBy(String identity) {
        NavigableMap<Long, Task> owned = owners.get(identity);
        return owned == null ? List.of() : List.copyOf(owned.values());
    }

    // --- the tree

    @Nullable Task parent(Task task) {
        String id = task.born().parentId();
        return id == null ? null : byId.get(id);
    }

    @Nullable Family family(String parentId) {
        return families.get(parentId);
    }

    /** The nearest end under way that the task, or with null nothing, is part of. */
    @Nullable CancelProcess sealing(@Nullable Task task) {
        for (Task at = task; at != null; at = parent(at)) {
            CancelProcess process = processes.get(at.id());
            if (process != null) {
                return process;
            }
        }
        return null;
    }

    /**
     * Live tasks of the tree below the task and the task itself while it lives: deepest first, then in order of
     * submission.
     */
    List<Task> liveTree(Task root) {
        List<List<Task>> levels = new ArrayList<>();
        List<Task> level = List.of(root);
        while (!level.isEmpty()) {
            levels.add(level);
            List<Task> below = new ArrayList<>();
            for (Task task : level) {
                Family family = families.get(task.id());
                if (family != null) {
                    below.addAll(family.members.values());
                }
            }
            level = below;
        }
        List<Task> out = new ArrayList<>(root.liveBelow + 1);
        for (List<Task> tasks : levels.reversed()) {
            tasks.stream().filter(Task::live).forEach(out::add);
        }
        return out;
    }

    /** Levels of tasks that name {@code id} as their parent, or theirs: 0 when nothing does. */
    int height(String id) {
        int height = 0;
        List<String> level = List.of(id);
        while (true) {
            List<String> below = new ArrayList<>();
            for (String parent : level) {
                Family family = families.get(parent);
                if (family != null) {
                    family.members.values().forEach(child -> below.add(child.id()));
                }
            }
            if (below.isEmpty()) {
                return height;
            }
            height++;
            level = below;
        }
    }

    // --- folding

    /** Takes in a task, also one read from a snapshot. */
    void add(Task task) {
        byId.put(task.id(), task);
        inOrder.put(task.ordinal(), task);
        String parentId = task.born().parentId();
        if (parentId != null) {
            Family siblings = families.computeIfAbsent(parentId, _ -> new Family());
            siblings.members.put(task.ordinal(), task);
            siblings.live += task.live() ? 1 : 0;
        }
        Family children = families.get(task.id());
        if (children != null) {
            children.members.values().forEach(child -> task.liveBelow += child.liveBelow + (child.live() ? 1 : 0));
        }
        addAbove(task, task.liveBelow + (task.live() ? 1 : 0));
        if (task.live()) {
            live++;
            own(task);
        }
    }

    private void addAbove(Task task, int change) {
        for (Task at = parent(task); at != null; at = parent(at)) {
            at.liveBelow += change;
        }
    }

    private void own(Task task) {
        if (task.owner != null) {
            owners.computeIfAbsent(task.owner, _ -> new TreeMap<>()).put(task.ordinal(), task);
        }
    }

    private void disown(Task task) {
        NavigableMap<Long, Task> owned = task.owner == null ? null : owners.get(task.owner);
        if (owned != null) {
            owned.remove(task.ordinal());
            if (owned.isEmpty()) {
                owners.remove(task.owner);
            }
        }
    }

    void claimed(Task task, String owner) {
        disown(task);
        task.owner = owner;
        own(task);
    }

    void ended(Task task) {
        live--;
        disown(task);
        addAbove(task, -1);
        Family siblings =
                task.born().parentId() == null ? null : families.get(task.born().parentId());
        if (siblings != null) {
            siblings.live--;
        }
        maybeShrinkable(task);
    }

    private void maybeShrinkable(@Nullable Task task) {
        if (task != null && !task.live() && !families.containsKey(task.id())) {
            shrinkable.add(task);
        }
    }

    /** Leaves a tombstone. */
    void shrunk(Task task, Tombstone tombstone) {
        shrinkable.remove(task);
        byId.remove(task.id());
        inOrder.remove(task.ordinal());
        tombstones.put(task.id(), tombstone);
        String parentId = task.born().parentId();
        Family siblings = parentId == null ? null : families.get(parentId);
        if (siblings != null) {
            siblings.members.remove(task.ordinal());
            if (siblings.members.isEmpty()) {
                families.remove(parentId);
                maybeShrinkable(byId.get(parentId));
            }
        }
    }
}
