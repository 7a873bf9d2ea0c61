package dev.harmovela.transport.http;

import dev.harmovela.spi.TransportGuarantees;

/** What the transports of this port promise. */
public final class HttpGuarantees {

    public static final TransportGuarantees WEBSOCKET = new TransportGuarantees(
            "harmovela.transport.websocket.v1",
            "best_effort, at_least_once, replayable",
            "per subscription, by sequence; answers in the order of their events",
            "from_cursor, resume by session_id",
            "limits.payload_bytes, 1 MiB by default; larger closes 1009",
            "inbound: event.acknowledged after the force; outbound: the client's event.acknowledged");

    public static final TransportGuarantees SSE = new TransportGuarantees(
            "harmovela.transport.sse.v1",
            "best_effort, at_least_once, replayable",
            "per subscription, by sequence",
            "Last-Event-ID, from_cursor, resume by session_id",
            "limits.payload_bytes, 1 MiB by default; http.body_bytes for a POST; larger is 413",
            "inbound: replies[] of the POST after the force; outbound: event.acknowledged by POST");

    private HttpGuarantees() {}
}
