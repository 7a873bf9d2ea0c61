package dev.harmovela.transport.nats;

import io.nats.client.ErrorListener;

/** Keeps the client from writing to standard error; what matters comes back from its calls. */
final class Quiet implements ErrorListener {}
