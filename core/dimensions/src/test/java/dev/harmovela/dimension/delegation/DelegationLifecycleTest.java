package dev.harmovela.dimension.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.Bench;
import dev.harmovela.dimension.Decision;
import dev.harmovela.dimension.Signal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every arc of a delegation's life is taken, and every other one refused (§10, D29). */
class DelegationLifecycleTest {

    private static final Map<DelegationState, List<DelegationEvent>> WAYS = Map.of(
            DelegationState.REQUESTED, List.of(DelegationEvent.REQUESTED),
            DelegationState.ACCEPTED, List.of(DelegationEvent.REQUESTED, DelegationEvent.ACCEPTED),
            DelegationState.ESCALATED, List.of(DelegationEvent.REQUESTED, DelegationEvent.ESCALATED),
            DelegationState.COMPLETED,
                    List.of(DelegationEvent.REQUESTED, DelegationEvent.ACCEPTED, DelegationEvent.HANDED_OVER),
            DelegationState.REJECTED, List.of(DelegationEvent.REQUESTED, DelegationEvent.REJECTED),
            DelegationState.REVOKED, List.of(DelegationEvent.REQUESTED, DelegationEvent.REVOKED),
            DelegationState.LAPSED, List.of(DelegationEvent.REQUESTED, DelegationEvent.LAPSED));

    private static Bench<Delegations> bench() {
        Bench<Delegations> bench = new Bench<>(
                () -> new Delegations(EventRegistry.standard()), (kind, in) -> Delegations.read(kind, 1, in));
        bench.tasks.put("t", new Bench.Task("agent:a", "agent:a", null));
        return bench;
    }

    private static String state(Bench<Delegations> bench) {
        return bench.dimension.list(Bench.TENANT).getFirst().string("state");
    }

    /** Whoever has to say that says it: the delegator, the delegate, or the supervisor after an escalation. */
    private static Decision say(Bench<Delegations> bench, DelegationEvent event) {
        if (event == DelegationEvent.LAPSED) {
            bench.advance(60_001);
            return Decision.NOTHING;
        }
        boolean up = !bench.dimension.list(Bench.TENANT).isEmpty()
                && "agent:s"
                        .equals(bench.dimension.list(Bench.TENANT).getFirst().string("delegated_to"));
        String delegate = up ? "agent:s" : "agent:b";
        boolean byDelegator = event == DelegationEvent.REQUESTED
                || event == DelegationEvent.REVOKED
                || event == DelegationEvent.HANDED_OVER;
        String token = bench.events.stream()
                .filter(one -> one.member("handoff_token") != null)
                .map(DelegationLifecycleTest::token)
                .reduce("none", (_, later) -> later);
        String type = event == DelegationEvent.REVOKED ? "delegation.rejected" : event.toString();
        return bench.send(
                type,
                byDelegator ? "agent:a" : delegate,
                "{\"reason\":\"r\",\"timeout_ms\":60000,\"escalated_to\":\"agent:s\"}",
                draft -> draft.taskId("t")
                        .member("delegated_by", Json.of("agent:a"))
                        .member("delegated_to", Json.of(delegate))
                        .member("handoff_token", Json.of(token)));
    }

    private static String token(Event event) {
        return event.member("handoff_token") instanceof Json.Str text ? text.value() : "";
    }

    @Test
    void everyArcIsTakenAndEveryOtherOneRefused() {
        for (DelegationState from : DelegationState.values()) {
            for (DelegationEvent event : DelegationEvent.values()) {
                Bench<Delegations> bench = bench();
                WAYS.get(from)
                        .forEach(step -> assertThat(say(bench, step).refusal())
                                .as(from + ": " + step)
                                .isNull());
                assertThat(state(bench)).isEqualTo(from.name());
                DelegationState to = DelegationLifecycle.TABLE.next(from, event);
                boolean anew = event == DelegationEvent.REQUESTED && !from.open();
                boolean quick = event == DelegationEvent.LAPSED;
                boolean waits = from == DelegationState.REQUESTED || from == DelegationState.ESCALATED;
                Decision decision = say(bench, event);
                if (anew) {
                    // to who had it before it is a loop: asked anew and turned down at once
                    String asked = from == DelegationState.COMPLETED ? "REJECTED" : "REQUESTED";
                    assertThat(state(bench)).as(from + " " + event).isEqualTo(asked);
                } else if (quick) {
                    assertThat(state(bench)).as(from + " " + event).isEqualTo(waits ? "LAPSED" : from.name());
                } else if (event == DelegationEvent.ACCEPTED && from == DelegationState.ACCEPTED) {
                    assertThat(decision.duplicate()).isTrue();
                } else if (to == null) {
                    assertThat(decision.refusal()).as(from + " " + event).isNotNull();
                    assertThat(state(bench)).isEqualTo(from.name());
                } else {
                    assertThat(decision.refusal()).as(from + " " + event).isNull();
                    assertThat(state(bench)).as(from + " " + event).isEqualTo(to.name());
                }
                bench.check();
            }
        }
    }

    @Test
    void ownershipMovesByTheHandoverAlone() {
        Bench<Delegations> bench = bench();
        say(bench, DelegationEvent.REQUESTED);
        say(bench, DelegationEvent.ACCEPTED);
        assertThat(bench.signals).isEmpty();
        say(bench, DelegationEvent.HANDED_OVER);
        assertThat(bench.signals).singleElement().isInstanceOf(Signal.MoveOwner.class);
        assertThat(((Signal.MoveOwner) bench.signals.getFirst()).to()).isEqualTo("agent:b");
    }
}
