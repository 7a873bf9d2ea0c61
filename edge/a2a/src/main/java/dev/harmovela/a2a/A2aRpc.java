package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;

/** One call of the gRPC binding and its one outcome, as the server hands it over. On the hub's executor only. */
public interface A2aRpc extends A2aRequest {

    /** The operation's name. */
    String method();

    /** The request message as ProtoJSON. */
    Json.Obj request();

    /** Answers a call of one response. */
    void answer(Json.Obj response);

    /** Sends one response of a stream. */
    void event(Json.Obj response);

    /** Ends a stream. */
    void end();

    /**
     * Refuses.
     *
     * @param status name of the gRPC status
     * @param details what {@code grpc-status-details-bin} holds
     */
    void fail(String status, String text, Json.Arr details);

    /** Runs {@code task} if the client goes away before the end. */
    void whenLeft(Runnable task);
}
