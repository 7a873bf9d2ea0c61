package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Context;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Proposal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides about goals (§11): their order, and whether what is said about their tasks is true. Changes nothing. */
final class GoalRules {

    private final EventRegistry types;

    GoalRules(EventRegistry types) {
        this.types = types;
    }

    Decision decide(Ledger ledger, GoalEvent kind, Event event, Context at) {
        String id = event.payload().string("goal_id");
        if (id == null || id.isEmpty()) {
            return Decision.refused(ProtocolError.invalidPayload("payload.goal_id", "the goal", "nothing"), null);
        }
        Goal known = ledger.goal(id);
        GoalState next = GoalLifecycle.TABLE.next(known == null ? null : known.state(), kind);
        if (next == null) {
            return Decision.refused(illegal(known, kind, id), null);
        }
        if (known == null && ledger.isFull()) {
            return Decision.refused(
                    ProtocolError.because(ErrorCode.NOT_SUPPORTED, "too_many", "the tenant has too many goals"), null);
        }
        ProtocolError untrue = kind == GoalEvent.ACHIEVED && known != null ? untrue(known, event, at) : null;
        if (untrue != null) {
            return Decision.refused(untrue.with("goal_id", id), null);
        }
        Proposal proposal = new Proposal(at, types);
        proposal.input();
        Goal before = known == null ? new Goal(id, "", at.actor(), next, Map.of()) : known;
        proposal.add(new AdaptationFact.GoalSet(
                at.tenant(),
                before.in(next, description(event.payload()))
                        .withTasks(event.payload().strings("task_ids"))));
        return proposal.decision(null);
    }

    private static String description(Json.Obj payload) {
        String described = payload.string("goal_description");
        String plain = payload.string("description");
        return described != null ? described : plain != null ? plain : "";
    }

    /** A goal is achieved when its tasks are: those the hub knows must have ended well, and the numbers must fit. */
    private static @Nullable ProtocolError untrue(Goal goal, Event event, Context at) {
        Json.Obj payload = event.payload();
        List<String> named = payload.strings("task_ids");
        List<String> open = goal.withTasks(named).unsatisfactory().stream()
                .filter(task -> at.around().taskLives(at.tenant(), task)
                        || !goal.tasks().getOrDefault(task, "").isEmpty())
                .toList();
        if (!open.isEmpty()) {
            return ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "not_achieved", "not every task ended well")
                    .with("task_ids", String.join(" ", open));
        }
        Long total = payload.integer("tasks_total");
        Long good = payload.integer("tasks_satisfactory");
        if (total != null && good != null && good < total) {
            return ProtocolError.because(ErrorCode.PROTOCOL_ERROR, "not_achieved", "not every task was satisfactory")
                    .with("tasks_total", Json.of(total))
                    .with("tasks_satisfactory", Json.of(good));
        }
        boolean fits = total == null || named.isEmpty() || total == named.size();
        return fits
                ? null
                : ProtocolError.invalidPayload("payload.tasks_total", "as many as task_ids", String.valueOf(total));
    }

    private static ProtocolError illegal(@Nullable Goal known, GoalEvent event, String id) {
        GoalState from = known == null ? null : known.state();
        return ProtocolError.illegalTransition(
                        ErrorCode.PROTOCOL_ERROR,
                        from == null ? "NONE" : from.name(),
                        event.toString(),
                        GoalLifecycle.TABLE.allowed(from).stream()
                                .map(Object::toString)
                                .toList())
                .with("goal_id", id);
    }
}
