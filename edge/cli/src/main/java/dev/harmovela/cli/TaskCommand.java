package dev.harmovela.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tasks. */
@Command(
        name = "task",
        description = "Submit tasks, look at them, follow them, cancel them.",
        subcommands = {
            TaskSubmit.class,
            TaskCommand.Ls.class,
            TaskShow.class,
            TaskTree.class,
            TaskWatch.class,
            TaskCancel.class
        })
final class TaskCommand extends Group {

    /** States in which a task stays. */
    static final List<String> ENDS = List.of("COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT");

    @Command(
            name = "ls",
            aliases = "list",
            description = {
                "List tasks, live and ended, latest submission first.",
                "When the search over ended tasks has not caught up, the page says as of which position it is."
            },
            footer = {"", "Example: harmovela task ls --ended --owner agent:worker"})
    static final class Ls extends ListCommand {

        @Option(names = "--state", paramLabel = "STATE", description = "live, ended, or a state such as started")
        private @Nullable String state;

        @Option(names = "--ended", description = "only tasks that have ended; the same as --state ended")
        private boolean ended;

        @Option(names = "--owner", paramLabel = "ID", description = "only of this owner")
        private @Nullable String owner;

        @Option(names = "--submitter", paramLabel = "ID", description = "only from this submitter")
        private @Nullable String submitter;

        @Option(names = "--parent", paramLabel = "ID", description = "only children of this task")
        private @Nullable String parent;

        @Option(names = "--correlation-id", paramLabel = "ID", description = "only of this operation")
        private @Nullable String correlation;

        @Option(names = "--ended-by", paramLabel = "WHO", description = "only ended by an agent, or by the hub")
        private @Nullable String endedBy;

        @Option(names = "--reason", paramLabel = "TEXT", description = "only ended for this reason")
        private @Nullable String reason;

        @Option(names = "--submitted-from", paramLabel = "TIME", description = "only submitted since (RFC 3339)")
        private @Nullable String submittedFrom;

        @Option(names = "--submitted-to", paramLabel = "TIME", description = "only submitted until (RFC 3339)")
        private @Nullable String submittedTo;

        @Option(names = "--ended-from", paramLabel = "TIME", description = "only ended since (RFC 3339)")
        private @Nullable String endedFrom;

        @Option(names = "--ended-to", paramLabel = "TIME", description = "only ended until (RFC 3339)")
        private @Nullable String endedTo;

        @Override
        String path() {
            return "tasks";
        }

        @Override
        void filter(Map<String, @Nullable String> parameters) {
            parameters.put("state", state == null && ended ? "ended" : state);
            parameters.put("owner", owner);
            parameters.put("submitter", submitter);
            parameters.put("parent_task_id", parent);
            parameters.put("correlation_id", correlation);
            parameters.put("ended_by", endedBy);
            parameters.put("reason", reason);
            parameters.put("submitted_from", submittedFrom);
            parameters.put("submitted_to", submittedTo);
            parameters.put("ended_from", endedFrom);
            parameters.put("ended_to", endedTo);
        }

        @Override
        String[] columns() {
            return new String[] {
                "TASK=task_id",
                "STATE=state",
                "OWNER=owner",
                "SUBMITTER=submitter",
                "PARENT=parent_task_id",
                "SUBMITTED=submitted_at",
                "ENDED=ended_at",
                "REASON=reason"
            };
        }

        @Override
        String none() {
            return "No tasks.";
        }
    }
}
