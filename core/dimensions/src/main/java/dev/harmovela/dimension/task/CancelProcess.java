package dev.harmovela.dimension.task;

import java.util.ArrayList;
import java.util.List;

/**
 * The end of a tree under way: owners are asked to stop, deepest tasks first; what they do not end by {@code
 * forceAt} the hub
 * ends. Lives until nothing in the tree does.
 */
final class CancelProcess extends Alarm {

    private final Task root;
    private final TaskFact.CancelBegan began;

    /** Index, not state: the tasks that were live at the beginning, deepest first, the root last. */
    private final List<Task> work;
    /** Index, not state: everything before it needs no asking any more. */
    private int cursor;
    /** Index, not state. */
    private int live;

    CancelProcess(Task root, TaskFact.CancelBegan began, List<Task> work) {
        super(2 * root.ordinal());
        this.root = root;
        this.began = began;
        this.work = new ArrayList<>(work);
        live = work.size();
    }

    @Override
    TenantTasks home() {
        return root.home();
    }

    Task root() {
        return root;
    }

    TaskFact.CancelBegan began() {
        return began;
    }

    /** Id of the event that began the end: what every forced end names as its cause (D31). */
    String cause() {
        return began.cause();
    }

    /** What is left to ask or to end, deepest first. */
    List<Task> pending() {
        return work.subList(cursor, work.size());
    }

    /** Everything that was live when the end began, deepest first. */
    List<Task> work() {
        return work;
    }

    void ended() {
        live--;
    }

    int live() {
        return live;
    }

    /** Passes over what is asked, ended, or waits for its children. */
    void advance() {
        while (cursor < work.size() && settled(work.get(cursor))) {
            cursor++;
        }
    }

    private static boolean settled(Task task) {
        return !task.live() || (task.released() ? task.liveBelow > 0 : task.noticed);
    }

    /** When to look again: at once while owners are still to be asked or tasks to be ended, else when patience ends. */
    long due(long hubStartedAt) {
        return cursor < work.size() ? began.at() : patienceEnds(hubStartedAt);
    }

    /**
     * When the hub ends what is left; a restart of the hub gives the owners their full time again (core rule:
     * time).
     */
    long patienceEnds(long hubStartedAt) {
        return Math.max(began.forceAt(), TaskTerms.plus(hubStartedAt, began.forceAt() - began.at()));
    }
}
