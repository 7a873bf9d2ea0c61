package dev.harmovela.dimension.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.harmovela.contract.DeliveryAsk;
import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.dimension.Bench;
import dev.harmovela.dimension.Decision;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every arc of a request's life is taken, and an answer after the end refused, kept or not (§10, D45). */
class ExchangeLifecycleTest {

    private static final Map<ExchangeState, List<ExchangeEvent>> WAYS = Map.of(
            ExchangeState.ACCEPTED, List.of(ExchangeEvent.REQUESTED),
            ExchangeState.COMPLETED, List.of(ExchangeEvent.REQUESTED, ExchangeEvent.COMPLETED),
            ExchangeState.FAILED, List.of(ExchangeEvent.REQUESTED, ExchangeEvent.FAILED));

    private static Bench<Exchanges> bench() {
        return new Bench<>(() -> new Exchanges(EventRegistry.standard()), (kind, in) -> Exchanges.read(kind, 1, in));
    }

    private static Decision say(Bench<Exchanges> bench, ExchangeEvent event, boolean passing) {
        DeliveryAsk ask = passing ? DeliveryAsk.of(DeliveryMode.BEST_EFFORT) : DeliveryAsk.NONE;
        if (event == ExchangeEvent.LAPSED) {
            bench.advance(1_000);
            return Decision.NOTHING;
        }
        boolean asks = event == ExchangeEvent.REQUESTED;
        String type =
                asks ? "command.requested" : event == ExchangeEvent.COMPLETED ? "command.completed" : "command.failed";
        return bench.send(
                type,
                asks ? "agent:a" : "agent:b",
                "{\"command\":\"go\",\"timeout_ms\":1000}",
                draft -> draft.target(asks ? "agent:b" : "agent:a")
                        .correlationId("c")
                        .delivery(ask));
    }

    @Test
    void everyArcIsTakenAndEveryOtherAnswerRefused() {
        for (boolean passing : new boolean[] {false, true}) {
            for (ExchangeState from : ExchangeState.values()) {
                for (ExchangeEvent event : ExchangeEvent.values()) {
                    Bench<Exchanges> bench = bench();
                    WAYS.get(from)
                            .forEach(
                                    step -> assertThat(say(bench, step, passing).refusal())
                                            .isNull());
                    ExchangeState to = ExchangeLifecycle.TABLE.next(from, event);
                    boolean again = event == ExchangeEvent.REQUESTED && from != ExchangeState.ACCEPTED;
                    ExchangeState expected = again ? ExchangeState.ACCEPTED : to == null ? from : to;
                    Decision decision = say(bench, event, passing);
                    assertThat(bench.dimension
                                    .list(Bench.TENANT, bench.now)
                                    .getFirst()
                                    .string("state"))
                            .as(from + " " + event)
                            .isEqualTo(expected.name());
                    boolean refuses = to == null && !again && event != ExchangeEvent.LAPSED;
                    assertThat(decision.refusal() != null)
                            .as(from + " " + event)
                            .isEqualTo(refuses);
                    if (!passing) {
                        bench.check();
                    }
                }
            }
        }
    }

    @Test
    void anAnswerIsRememberedForFiveMinutesAndOfThoseOnlyTheLast() {
        Held held = new Held();
        for (int i = 0; i < Held.MOST_ENDED + 10; i++) {
            held.set(ended("c" + i, Bench.START));
        }
        assertThat(held.ended()).hasSize(Held.MOST_ENDED);
        assertThat(held.find(ended("c9", 0).key())).isNull();
        held.set(ended("late", Bench.START + Exchange.REMEMBERED_MS));
        assertThat(held.ended()).hasSize(1);
    }

    private static Exchange ended(String correlation, long at) {
        return new Exchange(
                        Kind.COMMAND,
                        "agent:a",
                        correlation,
                        "agent:b",
                        "e-" + correlation,
                        "",
                        0,
                        ExchangeState.ACCEPTED,
                        0,
                        false)
                .ended(ExchangeState.COMPLETED, at);
    }
}
