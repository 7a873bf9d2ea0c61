package dev.harmovela.transport.grpc;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Caller;
import org.jspecify.annotations.Nullable;

/** One call of a service whose messages are JSON inside, and its one outcome. On the hub's executor only. */
public interface JsonCall {

    /** The name of the method without its service. */
    String method();

    /** The request as ProtoJSON. */
    Json.Obj request();

    /** The last value of a metadata entry, or null. */
    @Nullable String header(String name);

    /** Who asks. */
    Caller caller();

    /** Adds metadata to the answer that follows; values that metadata cannot carry are left out. */
    void with(String name, String value);

    /** Answers a method of one response. */
    void answer(Json.Obj response);

    /** Sends one response of a stream, or ends the stream when its reader is too slow. */
    void event(Json.Obj response);

    /** Ends a stream. */
    void end();

    /**
     * Refuses.
     *
     * @param status name of a gRPC status
     * @param details members with {@code @type}: {@code google.rpc.ErrorInfo} or {@code BadRequest}
     */
    void fail(String status, String text, Json.Arr details);

    /** Runs {@code task} if the client goes away before the end. */
    void whenLeft(Runnable task);

    /** Serves calls. */
    @FunctionalInterface
    interface Handler {
        void handle(JsonCall call);
    }
}
