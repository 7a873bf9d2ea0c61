package dev.harmovela.testkit.sim;

import dev.harmovela.contract.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tasks as clients see them: each has one owner and one end, and nothing comes after the end (§5, D4, D12). */
final class TaskWatch {

    private static final Set<String> ENDS = Set.of("task.completed", "task.failed", "task.cancelled", "task.timed_out");
    private static final Set<String> BY_OWNER = Set.of(
            "task.accepted",
            "task.started",
            "task.blocked",
            "task.resumed",
            "task.progress",
            "task.output",
            "task.completed",
            "task.failed");
    private static final String HUB = "harness:harmovela";

    private static final class Story {
        final TreeMap<Long, Event> events = new TreeMap<>();

        @Nullable Event end;

        long endLsn;

        @Nullable String owner;
    }

    private final Map<String, Story> stories = new HashMap<>();

    /** How many tasks have ended. */
    long ended() {
        return stories.values().stream().filter(story -> story.end != null).count();
    }

    boolean hasEnded(String taskId) {
        Story story = stories.get(taskId);
        return story != null && story.end != null;
    }

    /** An event about a task is known to lie in the log. */
    void stored(long lsn, Event event) {
        String taskId = event.taskId();
        if (taskId == null || !event.type().in("task")) {
            return;
        }
        Story story = stories.computeIfAbsent(taskId, _ -> new Story());
        Event before = story.events.put(lsn, event);
        if (before != null && !before.id().equals(event.id())) {
            throw new Violation("position " + lsn + " holds " + before.id() + " and " + event.id());
        }
        if (before == null) {
            owner(taskId, story, event);
            end(taskId, story, lsn, event);
        }
    }

    private static void owner(String taskId, Story story, Event event) {
        if (!BY_OWNER.contains(event.type().name()) || event.source().equals(HUB)) {
            return;
        }
        if (story.owner != null && !story.owner.equals(event.source())) {
            throw new Violation("task " + taskId + " is worked on by " + story.owner + " and by " + event.source()
                    + ": " + event.id());
        }
        story.owner = event.source();
    }

    private static void end(String taskId, Story story, long lsn, Event event) {
        if (ENDS.contains(event.type().name())) {
            if (story.end != null) {
                throw new Violation("task " + taskId + " ended by " + story.end.id() + " at " + story.endLsn
                        + " and by " + event.id() + " at " + lsn);
            }
            story.end = event;
            story.endLsn = lsn;
        }
        Map.Entry<Long, Event> last = story.events.lastEntry();
        if (story.end != null && last.getKey() > story.endLsn) {
            throw new Violation("task " + taskId + " ended at " + story.endLsn + ", yet "
                    + last.getValue().id() + " was taken at " + last.getKey());
        }
    }
}
