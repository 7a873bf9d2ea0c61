package dev.harmovela.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Follows a task. */
@Command(
        name = "watch",
        description = {
            "Show a task's events from its beginning, until it ends; exit 0 only when it completed.",
            "With --json: raw events, one a line."
        },
        footer = {"", "Example: harmovela task watch t1"})
final class TaskWatch extends HubCommand {

    @Parameters(paramLabel = "ID", description = "its id")
    private String id;

    @Override
    int run() throws Exception {
        try (Api api = root().api()) {
            return new TaskFollower(this, api, id).run();
        }
    }
}
