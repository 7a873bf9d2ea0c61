package dev.harmovela.dimension.event;

import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.RetryPolicy;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.json.Json;

/**
 * A standing request for events (§4).
 *
 * @param id assigned by the hub; see {@link #inboxId} for the inbox of an identity (D23)
 * @param kind who holds it
 * @param owner id of the holding session, the identity for {@link Kind#INBOX} and {@link Kind#API}, the name of a group
 * @param filter the filter as it was asked for, without delivery options
 * @param mode what its copies promise
 * @param retry what the subscription asked for; members it left open are the hub's
 * @param maxInFlight unacknowledged events at a time
 * @param lag what happens when it falls behind ({@code max_events}, {@code max_bytes}, {@code max_age_ms},
 *     {@code on_lag}), empty for the hub's own bound
 * @param startLsn log position it starts behind
 * @param createdAt epoch milliseconds
 * @param expiresAt epoch milliseconds, {@link Long#MAX_VALUE} for never
 */
public record Subscription(
        String id,
        Kind kind,
        String tenant,
        String owner,
        Json.Obj filter,
        DeliveryMode mode,
        RetryPolicy retry,
        int maxInFlight,
        Json.Obj lag,
        long startLsn,
        long createdAt,
        long expiresAt) {

    /** Who holds a subscription. The ordinal is written to the log: only append. */
    public enum Kind {
        /** A session; it ends with the session. */
        SESSION,
        /** An identity: events that name it as their target. */
        INBOX,
        /** A caller of the HTTP API without a session; it lasts until it is deleted or expires. */
        API,
        /** A consumer group (D39): members share its events, its position outlives them. */
        GROUP
    }

    /**
     * Id of the inbox of {@code identity}; outside the default tenant it names the tenant too, so that ids stay
     * unique.
     */
    public static String inboxId(String tenant, String identity) {
        return tenant.equals("default") ? "inbox:" + identity : "inbox#" + tenant + ":" + identity;
    }

    /** Whether the events of one task go out one after the other ({@code ordering: "task"}). */
    public boolean ordersTasks() {
        return SubscriptionFilter.ORDERED_BY_TASK.equals(filter.string("ordering"));
    }

    Subscription ownedBy(String session) {
        return new Subscription(
                id, kind, tenant, session, filter, mode, retry, maxInFlight, lag, startLsn, createdAt, expiresAt);
    }

    void write(Out out) {
        out.string(id);
        out.varint(kind.ordinal());
        out.string(tenant);
        out.string(owner);
        out.string(filter.toString());
        out.varint(mode.ordinal());
        out.string(retry.toJson().toString());
        out.varint(maxInFlight);
        out.string(lag.toString());
        out.varint(startLsn);
        out.varint(createdAt);
        out.varint(expiresAt);
    }

    static Subscription read(In in) {
        return new Subscription(
                in.string(),
                Kind.values()[(int) in.varint()],
                in.string(),
                in.string(),
                (Json.Obj) Json.parse(in.string()),
                DeliveryMode.values()[(int) in.varint()],
                RetryPolicy.parse((Json.Obj) Json.parse(in.string())).orElse(RetryPolicy.DEFAULT),
                (int) in.varint(),
                (Json.Obj) Json.parse(in.string()),
                in.varint(),
                in.varint(),
                in.varint());
    }
}
