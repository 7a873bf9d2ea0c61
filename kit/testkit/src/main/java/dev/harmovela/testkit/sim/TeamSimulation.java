package dev.harmovela.testkit.sim;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Agents that submit, delegate, command, ask, spend and cancel, on a machine that fails, from one seed. The log is
 * judged as a whole, at every restart and in the end.
 */
public final class TeamSimulation {

    private static final long GRACE_MS = 40_000;
    private static final int ABOVE = 64;

    private TeamSimulation() {}

    /** What happened in a run that broke no promise. */
    public record Report(
            long fingerprint, int starts, int refusals, int handovers, int answers, int cancelled, int spendings) {}

    /**
     * Runs a seed with so many moves.
     *
     * @throws AssertionError when a promise was broken, with the seed and the last moves
     */
    public static Report run(long seed, int moves) {
        HubErrors.listen();
        Team team = new Team(seed);
        try {
            team.boot();
            TeamTalk talk = new TeamTalk(team);
            for (int i = 0; i < moves; i++) {
                move(team, talk);
            }
            return finale(team);
        } catch (IOException | RuntimeException | AssertionError e) {
            StringBuilder text = new StringBuilder(1024);
            text.append("seed ")
                    .append(seed)
                    .append(": ")
                    .append(e.getMessage())
                    .append("\nlast moves:");
            team.script.last().forEach(one -> text.append("\n  ").append(one));
            throw new AssertionError(text.toString(), e);
        }
    }

    private static void move(Team team, TeamTalk talk) throws IOException {
        int what = team.random.nextInt(100);
        if (what < 70) {
            speak(team, talk);
        } else if (what < 88) {
            team.settle();
        } else if (what < 94) {
            team.pass(team.random.nextInt(50, 5_000));
        } else if (what < 96) {
            TeamMember member = team.members.get(team.random.nextInt(team.members.size()));
            team.script.add(member.identity + " leaves and comes back");
            team.guarded(() -> member.lose(true));
            team.attach(member);
        } else if (what < 98) {
            team.machine.disk().crashAtStep(team.random.nextInt(1, 30));
            team.script.add("the power will fail soon");
        } else {
            team.judged();
            team.fall(team.random.nextBoolean());
        }
    }

    private static void speak(Team team, TeamTalk talk) throws IOException {
        TeamMember member = team.members.get(team.random.nextInt(team.members.size()));
        if (!member.isThere()) {
            team.attach(member);
            return;
        }
        @Nullable String[] said = new String[1];
        team.guarded(() -> said[0] = talk.speak(member));
        if (said[0] != null) {
            team.script.add(member.identity + " " + said[0]);
        }
    }

    // --- in the end

    private static Report finale(Team team) throws IOException {
        team.machine.disk().crashAtStep(0);
        team.settle();
        for (int i = 0; i < 4; i++) {
            team.pass(GRACE_MS);
        }
        TeamWatch watch = team.judged();
        Map<String, Json.Obj> tasks = new HashMap<>();
        for (Json row : team.rows("tasks")) {
            Json.Obj task = (Json.Obj) row;
            tasks.put(String.valueOf(task.string("task_id")), task);
        }
        for (String live : watch.live()) {
            nothingAboveIsCancelled(live, tasks);
        }
        for (Json row : team.rows("budgets")) {
            Json.Obj budget = (Json.Obj) row;
            Json.Obj cost = budget.object("cost");
            Double used = cost == null ? null : cost.number("used");
            Double reserved = cost == null ? null : cost.number("reserved");
            double admitted = watch.admitted(String.valueOf(budget.string("budget_id")));
            if (used == null || reserved == null || used + reserved < admitted) {
                throw new Violation("less is known to be spent than was admitted: " + budget + ", " + admitted);
            }
        }
        team.machine.checkState();
        return new Report(
                team.script.fingerprint(),
                team.machine.starts(),
                team.refusals(),
                watch.handovers(),
                watch.answers(),
                watch.cancelled(),
                watch.spendings());
    }

    private static void nothingAboveIsCancelled(String live, Map<String, Json.Obj> tasks) {
        Json.Obj task = tasks.get(live);
        for (int i = 0; task != null && i < ABOVE; i++) {
            String parent = task.string("parent_task_id");
            task = parent == null ? null : tasks.get(parent);
            if (task != null && "CANCELLED".equals(task.string("state"))) {
                throw new Violation(live + " lives although " + parent + " above it was cancelled");
            }
        }
    }
}
