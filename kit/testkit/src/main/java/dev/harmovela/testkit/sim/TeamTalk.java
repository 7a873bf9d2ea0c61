package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What agents at joint work say, drawn by the seed: much of it makes sense, some of it does not. */
final class TeamTalk {

    private static final List<String> REPORTS = List.of(
            "task.accepted",
            "task.started",
            "task.started",
            "task.progress",
            "task.output",
            "task.completed",
            "task.failed",
            "task.cancelled");
    private static final List<String> BUDGETS = List.of("b1", "b2", "b3");
    private static final String BEST_EFFORT = "best_effort";

    private final Team team;
    private final SplittableRandom random;

    TeamTalk(Team team) {
        this.team = team;
        this.random = team.random;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String someone() {
        return chance(15) ? "pool:crew" : chance(5) ? "agent:nobody" : one(team.members).identity;
    }

    private @Nullable String task() {
        int known = team.taskIds.size();
        return known == 0 ? null : team.taskIds.get(Math.max(0, known - 1 - random.nextInt(Math.min(known, 8))));
    }

    private static Json.Obj event(String task, Json.Builder payload) {
        return Json.Obj.builder()
                .put("task_id", task)
                .put("payload", payload.put("task_id", task).build())
                .build();
    }

    /** Says something; returns it in words, null when there was nothing to say. */
    @Nullable String speak(TeamMember member) {
        return switch (random.nextInt(16)) {
            case 0, 1 -> submit(member);
            case 2, 3 -> report(member);
            case 4 -> cancel(member);
            case 5, 6 -> offer(member);
            case 7, 8 -> take(member);
            case 9, 10 -> prove(member);
            case 11, 12 -> ask(member);
            case 13 -> answer(member);
            case 14 -> budget(member);
            default -> spend(member);
        };
    }

    // --- tasks

    private String submit(TeamMember member) {
        String id = "t" + (team.taskIds.size() + 1);
        String parent = chance(60) ? task() : null;
        team.taskIds.add(id);
        Json.Obj event =
                event(id, Json.Obj.builder()).with("parent_task_id", parent == null ? Json.Null.NULL : Json.of(parent));
        if (chance(30)) {
            event = event.with("target", Json.of(someone()));
        } else {
            member.own.add(id);
        }
        return "submits " + id + " below " + parent + ", " + member.say("task.submitted", event);
    }

    private @Nullable String report(TeamMember member) {
        String task = task();
        if (task == null) {
            return null;
        }
        String type = one(REPORTS);
        return "says " + type + " of " + task + ", " + member.say(type, event(task, Json.Obj.builder()));
    }

    private @Nullable String cancel(TeamMember member) {
        String task = task();
        return task == null
                ? null
                : "cancels " + task + ", " + member.say("task.cancel.requested", event(task, Json.Obj.builder()));
    }

    // --- delegations

    private static Json.Obj delegation(String task, String by, String to, Json.Builder payload) {
        return Json.Obj.builder()
                .put("task_id", task)
                .put("delegated_by", by)
                .put("delegated_to", to)
                .put("payload", payload.build())
                .build();
    }

    private @Nullable String offer(TeamMember member) {
        String task = !member.own.isEmpty() && chance(80) ? member.own.getLast() : task();
        if (task == null) {
            return null;
        }
        String to = someone();
        Json.Builder payload = Json.Obj.builder();
        payload.put("fallback", chance(30) ? List.of(someone(), someone()) : null);
        payload.put("timeout_ms", chance(30) ? (Long) random.nextLong(100, 20_000) : null);
        String id = member.say("delegation.requested", delegation(task, member.identity, to, payload));
        return "hands " + task + " to " + to + ", " + id;
    }

    /** Accepts, declines, passes up or takes back. */
    private @Nullable String take(TeamMember member) {
        String task = !member.offered.isEmpty() && chance(85) ? one(member.offered) : task();
        if (task == null) {
            return null;
        }
        int what = random.nextInt(10);
        String type = what < 6 ? "delegation.accepted" : what < 8 ? "delegation.rejected" : "delegation.escalated";
        Json.Builder payload = Json.Obj.builder().put("reason", "because");
        payload.put("escalated_to", what >= 8 && chance(50) ? one(team.members).identity : null);
        String id = member.say(type, delegation(task, "agent:a", member.identity, payload));
        return type + " " + task + ", " + id;
    }

    /** Completes a handover, now and then with a proof that was used before. */
    private @Nullable String prove(TeamMember member) {
        if (member.proofs.isEmpty()) {
            return null;
        }
        TeamMember.Proof proof = chance(75) ? member.proofs.getLast() : one(member.proofs);
        Json.Obj event = delegation(proof.taskId(), member.identity, proof.delegate(), Json.Obj.builder())
                .with("handoff_token", Json.of(proof.token()));
        TeamMember who = chance(95) ? member : one(team.members);
        return "proves " + proof.taskId() + " as " + who.identity + ", "
                + who.say("delegation.handoff.completed", event);
    }

    // --- commands and queries

    private String ask(TeamMember member) {
        boolean query = chance(40);
        String correlation = "c" + random.nextInt(6);
        Json.Builder payload = Json.Obj.builder();
        if (query) {
            payload.put("query_scope", "s" + random.nextInt(2));
            payload.put(
                    "freshness",
                    chance(30) ? Json.Obj.builder().put("max_age_ms", 5_000).build() : null);
        } else {
            payload.put("command", "go");
        }
        payload.put("timeout_ms", chance(40) ? (Long) random.nextLong(100, 10_000) : null);
        Json.Builder event = Json.Obj.builder().put("target", someone()).put("correlation_id", correlation);
        if (chance(15)) {
            team.passing.add((query ? "query " : "command ") + member.identity + ' ' + correlation);
            event.put("delivery", Json.Obj.builder().put("mode", BEST_EFFORT).build());
        }
        String type = query ? "query.requested" : "command.requested";
        return type + " " + correlation + ", "
                + member.say(type, event.put("payload", payload.build()).build());
    }

    private @Nullable String answer(TeamMember member) {
        if (member.asked.isEmpty()) {
            return null;
        }
        TeamMember.Asked asked = chance(70) ? member.asked.getLast() : one(member.asked);
        boolean query = asked.kind().equals("query");
        boolean good = chance(70);
        String type = query ? (good ? "query.response" : "query.error") : good ? "command.completed" : "command.failed";
        Json.Builder payload = Json.Obj.builder();
        if (!good) {
            payload.put("reason", "no")
                    .put(
                            "error",
                            Json.Obj.builder()
                                    .put("code", "internal_error")
                                    .put("message", "no")
                                    .put("retryable", false)
                                    .build());
        } else if (query) {
            payload.put("items", List.of("x" + random.nextInt(3)));
            payload.put("snapshot_version", chance(20) ? (Long) random.nextLong(1, 6) : null);
        }
        Json.Builder event = Json.Obj.builder()
                .put("target", asked.requester())
                .put("correlation_id", asked.correlationId())
                .put("causation_id", chance(50) ? asked.eventId() : null);
        TeamMember who = chance(92) ? member : one(team.members);
        return who.identity + " answers " + asked.correlationId() + " of " + asked.requester() + ", "
                + who.say(type, event.put("payload", payload.build()).build());
    }

    // --- budgets

    private String budget(TeamMember member) {
        String id = one(BUDGETS);
        boolean adjusts = chance(30);
        Json.Builder payload = Json.Obj.builder().put("budget_id", id);
        payload.put(adjusts ? "new_limit" : "limit", 1_000);
        payload.put("on_budget_exhausted", adjusts ? null : one(List.of("fail", "cancel", "escalate")));
        String type = adjusts ? "adaptation.budget.adjusted" : "adaptation.budget.established";
        return type + " " + id + ", "
                + member.say(
                        type, Json.Obj.builder().put("payload", payload.build()).build());
    }

    private String spend(TeamMember member) {
        String id = one(BUDGETS);
        int cost = random.nextInt(50, 400);
        String task = task();
        boolean call = chance(50);
        String correlation = "k" + random.nextInt(8);
        Json.Builder event = Json.Obj.builder()
                .put("budget_id", id)
                .put("budget_cost", cost)
                .put("correlation_id", call ? member.identity + correlation : null)
                .put("task_id", task);
        Json.Builder payload = Json.Obj.builder();
        String type = "agent.decision.recorded";
        if (call) {
            payload.put("tool", "search");
            type = "tool.call.requested";
        } else {
            payload.put("decision", "go on");
        }
        String said = member.say(type, event.put("payload", payload.build()).build());
        if (!call) {
            team.spends(said);
        }
        return "spends " + cost + " of " + id + " by " + type + ", " + said;
    }
}
