package dev.harmovela.dimension.exchange;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;

/**
 * The last answer to a query.
 *
 * @param requester for whom it was made; nobody else gets it
 * @param question tells queries about the same scope apart
 * @param version its snapshot version as text
 * @param payload of the answer, as JSON text
 * @param at when it was given, epoch milliseconds
 */
record Snapshot(String requester, String target, String scope, long question, String version, String payload, long at) {

    static final int MOST_CHARS = 64 * 1024;

    /** What it costs to keep, roughly in bytes. */
    int size() {
        return payload.length() + requester.length() + target.length() + scope.length() + 100;
    }

    String key() {
        return key(requester, target, scope, question);
    }

    static String key(String requester, String target, String scope, long question) {
        return requester + '\n' + target + '\n' + scope + '\n' + question;
    }

    void write(Out out) {
        out.string(requester)
                .string(target)
                .string(scope)
                .i64(question)
                .string(version)
                .string(payload);
        out.varint(at);
    }

    static Snapshot read(In in) {
        return new Snapshot(in.string(), in.string(), in.string(), in.i64(), in.string(), in.string(), in.varint());
    }
}
