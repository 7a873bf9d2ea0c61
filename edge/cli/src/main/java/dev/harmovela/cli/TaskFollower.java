package dev.harmovela.cli;

import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HubRefused;
import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Shows the events of a task from its first to its last. */
final class TaskFollower {

    /** How often the hub is asked whether the task has ended, should its last event have been missed. */
    private static final long LOOK_SECONDS = 5;

    private static final long ANSWER_SECONDS = 30;
    private static final int AT_HAND = 64;

    private final HubCommand command;
    private final Api api;
    private final String id;
    private String expected = "COMPLETED";

    TaskFollower(HubCommand command, Api api, String id) {
        this.command = command;
        this.api = api;
        this.id = id;
    }

    /** Names the end that is a success. */
    TaskFollower expect(String end) {
        expected = end;
        return this;
    }

    /** The exit code: 0 when the task ended as expected. */
    int run() throws Exception {
        state();
        BlockingQueue<Json.Obj> events = new ArrayBlockingQueue<>(AT_HAND);
        try (HarmovelaClient client = command.attach(HubCommand.IDENTITY)) {
            Json.Obj filter = Json.Obj.builder()
                    .put("types", List.of("task.*"))
                    .put("task_id", id)
                    .put("from_cursor", "earliest")
                    .build();
            try {
                client.subscribe(filter, delivery -> events.put(delivery.event()))
                        .get(ANSWER_SECONDS, TimeUnit.SECONDS)
                        .created();
            } catch (ExecutionException failure) {
                if (failure.getCause() instanceof HubRefused refused) {
                    throw Failure.of(refused, api.hub());
                }
                throw failure;
            }
            return follow(events);
        }
    }

    private int follow(BlockingQueue<Json.Obj> events) throws InterruptedException, Failure {
        while (true) {
            Json.Obj event = events.poll(LOOK_SECONDS, TimeUnit.SECONDS);
            if (event != null) {
                Console console = command.console();
                console.line(console.isJson() ? event.toString() : EventLine.of(event));
                String end = end(event);
                if (end != null) {
                    return verdict(end);
                }
            } else {
                String state = state();
                if (TaskCommand.ENDS.contains(state)) {
                    return verdict(state);
                }
            }
        }
    }

    private static @Nullable String end(Json.Obj event) {
        String type = event.string("type");
        if (type == null || !type.startsWith("task.")) {
            return null;
        }
        String state = type.substring("task.".length()).toUpperCase(Locale.ROOT);
        return TaskCommand.ENDS.contains(state) ? state : null;
    }

    private String state() throws Failure {
        String state = api.get("tasks/" + Api.encode(id)).string("state");
        return state == null ? "" : state;
    }

    private int verdict(String state) throws Failure {
        if (state.equals(expected)) {
            return ExitCodes.OK;
        }
        String word = state.toLowerCase(Locale.ROOT).replace('_', ' ');
        throw Failure.failed("task_" + state.toLowerCase(Locale.ROOT), "Task " + id + " ended as " + word + ".", null)
                .at(api.hub());
    }
}
