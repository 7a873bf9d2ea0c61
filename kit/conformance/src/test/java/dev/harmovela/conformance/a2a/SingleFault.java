package dev.harmovela.conformance.a2a;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that the echo endpoint does wrong, and the one row that has to show it.
 *
 * @param profile which profile is run
 * @param row the row that turns
 * @param switches the fault itself first, then what it needs around it
 */
record SingleFault(String profile, String row, List<String> switches) {

    private static final String CARD = "agent-card.v1-required-fields";
    private static final String RPC = "binding.jsonrpc-message-send";
    private static final String REST = "binding.http-json-rest";
    private static final String STREAM = "binding.streaming-message";
    private static final String PUSH = "push.task-push-notification-config";
    private static final String FIELDS = "fields.send-message-configuration";
    private static final String STATES = "states.official-task-state-enum";
    private static final String HEADERS = "extensions.headers";
    private static final String TENANCY = "tenancy.interface-tenant";
    private static final String SECURITY = "security.auth-observability";
    private static final String LIST = "methods.list-tasks";
    private static final String ERRORS = "errors.code-table";

    private static final String GRPC = "binding.grpc";

    /** One fault of each row, for every save. */
    static final List<SingleFault> ONE_OF_EACH = List.of(
            official(CARD, "card.no-description"),
            official(RPC, "rpc.parse-internal"),
            official(REST, "rest.error-code"),
            official(STREAM, "stream.no-task-first"),
            official(PUSH, "push.no-authorization"),
            official(FIELDS, "fields.history-zero"),
            official(STATES, "states.terminal-send"),
            official(HEADERS, "headers.missing-served"),
            official(TENANCY, "tenancy.ignored"),
            official(SECURITY, "security.trace"),
            official(LIST, "list.size-unchecked"),
            official(ERRORS, "errors.rpc-code"),
            official(GRPC, "grpc.details-code", "grpc"));

    /** All the others. */
    static final List<SingleFault> MORE = more();

    private static SingleFault official(String row, String... switches) {
        return new SingleFault(Profiles.OFFICIAL, row, List.of(switches));
    }

    private static SingleFault legacy(String row, String fault) {
        return new SingleFault(Profiles.LEGACY, row, List.of(fault));
    }

    private static List<SingleFault> more() {
        List<SingleFault> all = new ArrayList<>();
        each(all, CARD, "card.media-type", "card.extra-member", "card.null-member", "card.no-cache", "card.no-304");
        each(all, CARD, "card.forwarded", "card.bad-signature");
        each(all, RPC, "rpc.id-lost", "rpc.batch-internal", "rpc.lax-envelope", "rpc.unknown-method");
        each(all, RPC, "rpc.slash-served", "rpc.params-internal", "rpc.empty-parts", "rpc.kind", "rpc.media-type");
        each(all, REST, "rest.media-type", "rest.any-media-type", "rest.no-get-subscribe", "rest.any-route");
        each(all, REST, "rest.page-size-ignored", "rest.broken-internal", "rest.plain-json-refused", "rest.kind");
        each(all, STREAM, "stream.not-closed", "stream.terminal-streamed", "stream.final", "stream.refusal-streamed");
        each(all, STREAM, "stream.one-reader", "stream.chunk-lost", "stream.after-end");
        all.add(official(STREAM, "stream.gate", "no-streaming"));
        each(all, PUSH, "push.other-url", "push.lists-one", "push.not-deleted", "push.redirect-followed");
        each(all, PUSH, "push.bare-task", "push.doubled", "push.line-breaks", "push.undelivered", "push.unsafe");
        each(all, PUSH, "push.wrong-token", "push.media-type");
        all.add(official(PUSH, "push.gate", "no-push"));
        each(all, FIELDS, "fields.false-ignored", "fields.absent-ignored", "fields.history-oldest");
        each(
                all,
                FIELDS,
                "fields.history-negative",
                "fields.snake-case",
                "fields.unknown-refused",
                "fields.inline-push");
        each(all, STATES, "states.rejected-as-failed", "states.terminal-cancel", "states.throw-rejected");
        each(all, STATES, "states.foreign-value", "states.cancel-ignored", "states.auth-silent");
        each(all, HEADERS, "headers.any-version", "headers.query-ignored", "headers.patch-refused", "headers.list");
        each(all, HEADERS, "headers.unknown-refused");
        all.add(official(HEADERS, "headers.required-ignored", "required-extension"));
        each(all, TENANCY, "tenancy.mismatch", "tenancy.list-shows-all");
        each(all, SECURITY, "security.cancel-differs");
        all.add(official(SECURITY, "security.echo", "login"));
        all.add(official(SECURITY, "security.anonymous", "login"));
        all.add(official(SECURITY, "security.any-token", "login"));
        all.add(official(SECURITY, "security.no-challenge", "login"));
        all.add(official(SECURITY, "security.extended-open", "login", "extended"));
        each(all, LIST, "list.no-token", "list.token-unchecked", "list.token-ignored", "list.oldest-first");
        each(all, LIST, "list.artifacts-always", "list.context-ignored", "list.status-ignored", "list.after-exclusive");
        each(all, LIST, "list.total-of-page");
        each(all, ERRORS, "errors.rest-status", "errors.domain", "errors.unknown-task-made", "errors.context-ignored");
        all.add(official(ERRORS, "errors.grpc-status", "grpc"));
        all.add(official(GRPC, "grpc.unknown-method", "grpc"));
        all.add(official(GRPC, "grpc.history-lost", "grpc"));
        all.add(official(GRPC, "grpc.list-empty", "grpc"));
        all.add(legacy("legacy.jsonrpc-paths", "legacy.no-rpc-path"));
        all.add(legacy("legacy.jsonrpc-paths", "legacy.mixed"));
        all.add(legacy("legacy.blocking-configuration", "legacy.blocking-ignored"));
        all.add(legacy("legacy.blocking-configuration", "legacy.absent-immediate"));
        all.add(legacy("legacy.push-notification-set-get", "legacy.push-lost"));
        all.add(new SingleFault(
                Profiles.EXPERIMENTAL, "experimental.structured-data-fixture", List.of("experimental.data-lost")));
        return all;
    }

    private static void each(List<SingleFault> into, String row, String... faults) {
        for (String fault : faults) {
            into.add(official(row, fault));
        }
    }

    @Override
    public String toString() {
        return String.join(" + ", switches) + " turns " + row;
    }
}
