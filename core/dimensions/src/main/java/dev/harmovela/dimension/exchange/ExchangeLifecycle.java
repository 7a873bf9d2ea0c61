package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.lifecycle.Lifecycle;

/** The life of a command or query: what the hub takes gets one answer, and never a second one (§10). */
final class ExchangeLifecycle {

    static final Lifecycle<ExchangeState, ExchangeEvent> TABLE = Lifecycle.named(
                    "exchange", ExchangeState.class, ExchangeEvent.class)
            .start(ExchangeEvent.REQUESTED, ExchangeState.ACCEPTED)
            .add(ExchangeState.ACCEPTED, ExchangeEvent.COMPLETED, ExchangeState.COMPLETED)
            .add(ExchangeState.ACCEPTED, ExchangeEvent.FAILED, ExchangeState.FAILED)
            .add(ExchangeState.ACCEPTED, ExchangeEvent.LAPSED, ExchangeState.FAILED)
            .terminal(ExchangeState.COMPLETED, ExchangeState.FAILED)
            .build();

    private ExchangeLifecycle() {}
}
