package dev.harmovela.dimension.exchange;

/** Where a request is. The order is part of the stored form. */
enum ExchangeState {
    ACCEPTED,
    COMPLETED,
    FAILED
}
