package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;

/**
 * One thing that is asked of an endpoint.
 *
 * @param id such as {@code rpc.parse-error}
 * @param row which row its verdict counts for
 * @param scope where it is asked
 * @param title what is asked, in one phrase
 * @param body asks it
 */
public record Check(String id, String row, Scope scope, String title, Body body) {

    /** Where a check is asked. */
    public enum Scope {
        /** Once. */
        RUN,
        /** Once, at the first interface. */
        FIRST,
        /** At each binding. */
        EACH,
        /** At the JSON-RPC binding. */
        JSONRPC,
        /** At the HTTP+JSON binding. */
        REST,
        /** At the gRPC binding. */
        GRPC
    }

    /** Asks; returns when all is as it should be. */
    @FunctionalInterface
    interface Body {
        void run(Probe probe) throws WireException, Verdict;
    }
}
