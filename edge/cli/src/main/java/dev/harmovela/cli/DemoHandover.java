package dev.harmovela.cli;

import static dev.harmovela.cli.DemoAgent.about;

import dev.harmovela.contract.json.Json;

/**
 * Scenario 3 (§16): a planner hands work to a worker, who passes it up to a supervisor; when the root is cancelled,
 * everything below it stops first.
 */
final class DemoHandover {

    private static final String ROOT = "campaign";
    private static final String PART = "artwork";
    private static final String LEAF = "logo";

    private final DemoStage stage;

    DemoHandover(DemoStage stage) {
        this.stage = stage;
    }

    Json.Obj play() throws Exception {
        stage.begin(3, "work is handed over with a proof, passed up, and stopped from the top");
        try (DemoAgent planner = DemoAgent.attach(stage, "agent:planner").listen("task.*");
                DemoAgent worker = DemoAgent.attach(stage, "agent:worker");
                DemoAgent boss = DemoAgent.attach(stage, "agent:supervisor")) {
            planner.say("task.submitted", "'" + ROOT + "'", about(ROOT, Json.Obj.builder()));
            planner.say("task.started", "'" + ROOT + "' itself", about(ROOT, Json.Obj.builder()));
            handOver(planner, worker);
            String owner = String.valueOf(stage.task(PART).string("owner"));
            stage.prove(owner.equals(worker.identity()), "one owner: '" + PART + "' belongs to " + owner);
            String stale = planner.sayInVain("task.progress", about(PART, Json.Obj.builder()));
            stage.prove(stale.equals("unauthorized"), "who handed a task over reports on it no more");
            worker.say("task.started", "'" + PART + "'", about(PART, Json.Obj.builder()));
            passUp(worker, boss);
            boss.say(
                    "task.submitted",
                    "'" + LEAF + "' below it",
                    about(LEAF, Json.Obj.builder()).put("parent_task_id", PART));
            planner.say(
                    "task.cancel.requested",
                    "'" + ROOT + "', with everything below",
                    about(ROOT, Json.Obj.builder().put("reason", "the customer left")));
            boss.expect("task.cancel.requested", PART);
            boss.say("task.cancelled", "'" + PART + "'", about(PART, Json.Obj.builder()));
            planner.say("task.cancelled", "'" + ROOT + "'", about(ROOT, Json.Obj.builder()));
            for (String task : new String[] {LEAF, PART, ROOT}) {
                String state = String.valueOf(stage.task(task).string("state"));
                stage.prove(state.equals("CANCELLED"), "the hub says that '" + task + "' is " + state);
            }
        }
        return stage.end(3, null);
    }

    private static Json.Builder delegation(DemoAgent by, DemoAgent to, Json.Builder payload) {
        return about(PART, payload)
                .put("parent_task_id", ROOT)
                .put("delegated_by", by.identity())
                .put("delegated_to", to.identity());
    }

    private void handOver(DemoAgent planner, DemoAgent worker) throws Exception {
        planner.say(
                "delegation.requested",
                "'" + PART + "' to " + worker.identity(),
                delegation(planner, worker, Json.Obj.builder().put("work_description", "draw it")));
        worker.expect("delegation.requested", PART);
        worker.say("delegation.accepted", "", delegation(planner, worker, Json.Obj.builder()));
        String proof =
                String.valueOf(planner.expect("delegation.accepted", PART).string("handoff_token"));
        planner.say(
                "delegation.handoff.completed",
                "with the token that the hub made",
                delegation(planner, worker, Json.Obj.builder()).put("handoff_token", proof));
        String again = planner.sayInVain(
                "delegation.handoff.completed",
                delegation(planner, worker, Json.Obj.builder()).put("handoff_token", proof));
        stage.prove(again.equals("delegation_error"), "a proof is good for one handover");
    }

    private void passUp(DemoAgent worker, DemoAgent boss) throws Exception {
        worker.say(
                "delegation.escalated",
                "this is above me",
                about(PART, Json.Obj.builder().put("reason", "no decision").put("escalated_to", boss.identity()))
                        .put("parent_task_id", ROOT)
                        .put("delegated_by", "agent:planner")
                        .put("delegated_to", worker.identity()));
        boss.expect("delegation.escalated", PART);
        String owner = String.valueOf(stage.task(PART).string("owner"));
        stage.prove(owner.equals(boss.identity()), "'" + PART + "' belongs to " + owner + " now");
    }
}
