package dev.harmovela.cli;

import static dev.harmovela.cli.DemoAgent.about;

import dev.harmovela.contract.json.Json;

/** Scenario 4 (§16): a task runs into the limit of its budget and is stopped; what it cost is told and audited. */
final class DemoBudget {

    private static final String TASK = "research";
    private static final int LIMIT = 1000;
    private static final int CALL = 300;

    private final DemoStage stage;

    DemoBudget(DemoStage stage) {
        this.stage = stage;
    }

    Json.Obj play() throws Exception {
        stage.begin(4, "a task runs into its limit and is stopped");
        try (DemoAgent planner = DemoAgent.attach(stage, "agent:planner").listen("task.*", "adaptation.*");
                DemoAgent worker = DemoAgent.attach(stage, "agent:worker")) {
            planner.say(
                    "adaptation.budget.established",
                    LIMIT + " millicents for '" + TASK + "'",
                    Json.Obj.builder().put("payload", budget(planner)));
            planner.say("task.submitted", "'" + TASK + "'", about(TASK, Json.Obj.builder()));
            worker.say("task.started", "'" + TASK + "'", about(TASK, Json.Obj.builder()));
            for (int i = 1; i <= LIMIT / CALL; i++) {
                worker.say("tool.call.requested", "search, for " + CALL, call(i));
            }
            planner.expect("adaptation.budget.limit_approaching", TASK);
            String code = worker.sayInVain("tool.call.requested", call(LIMIT / CALL + 1));
            stage.prove(code.equals("budget_exceeded"), "what would pass the limit is stopped before it is sent on");
            planner.expect("adaptation.budget.limit_exceeded", TASK);
            planner.expect("task.failed", TASK);
            Json.Obj outcome =
                    planner.expect("adaptation.outcome.correlated", TASK).object("payload");
            String told = outcome == null ? "" : String.valueOf(outcome.string("task_outcome"));
            stage.prove(told.equals("failed"), "its outcome is told with what it cost: " + told);
            String state = String.valueOf(stage.task(TASK).string("state"));
            stage.prove(state.equals("FAILED"), "the hub says that '" + TASK + "' is " + state);
            stage.prove(
                    stage.audited("adaptation.budget.limit_exceeded"),
                    "the audit says who was stopped, by which budget");
        }
        return stage.end(4, null);
    }

    private static Json.Obj budget(DemoAgent planner) {
        return Json.Obj.builder()
                .put("scope_type", "task")
                .put("scope_id", TASK)
                .put(
                        "budget",
                        Json.Obj.builder()
                                .put("max_cost_usd_millicents", LIMIT)
                                .put("on_budget_exhausted", "fail")
                                .build())
                .put(
                        "authority",
                        Json.Obj.builder()
                                .put("issuer", planner.identity())
                                .put("capability", "budget.establish")
                                .build())
                .build();
    }

    private static Json.Builder call(int number) {
        return about(TASK, Json.Obj.builder().put("tool", "search"))
                .put("correlation_id", "call-" + number)
                .put("budget_cost", CALL);
    }
}
