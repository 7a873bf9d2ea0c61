package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;

/** An event that the target sent, and where it came out. */
record Received(Json.Obj event, Incoming.Channel channel) {}
