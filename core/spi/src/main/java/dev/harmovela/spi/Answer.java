package dev.harmovela.spi;

import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;

/** The hub's answer to a question from its HTTP API, command line or query events. */
public sealed interface Answer {

    /** Found. */
    record Found(Json.Obj body) implements Answer {}

    /** Refused, missing or foreign (both look the same). */
    record Failed(ProtocolError error) implements Answer {}
}
