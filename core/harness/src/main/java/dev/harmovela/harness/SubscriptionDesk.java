package dev.harmovela.harness;

import dev.harmovela.contract.Cursor;
import dev.harmovela.contract.DeliveryMode;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.harness.delivery.Feed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes, repeats and ends subscriptions (§4). */
final class SubscriptionDesk {

    /** When to try again what no clock frees. */
    private static final long WAIT_MILLIS = 1000;

    private final Shard shard;
    private final GroupDesk groups;

    SubscriptionDesk(Shard shard) {
        this.shard = shard;
        this.groups = new GroupDesk(shard);
    }

    void handle(Input in) {
        if (in.event().type().name().equals("subscription.cancelled")) {
            cancel(in);
        } else {
            request(in);
        }
    }

    // --- asking

    private void request(Input in) {
        switch (SubscriptionFilter.parse(in.event().payload())) {
            case SubscriptionFilter.Parsed.Bad bad -> shard.replies.refused(in, bad.error());
            case SubscriptionFilter.Parsed.Ok ok -> {
                ProtocolError refused = unauthorized(in, ok.filter());
                if (refused != null) {
                    shard.replies.unauthorized(in, refused);
                } else {
                    request(in, ok.filter());
                }
            }
        }
    }

    /** A filter wider than the rights is refused whole; so is one on a session of somebody else (D25, SEC-04). */
    private @Nullable ProtocolError unauthorized(Input in, SubscriptionFilter filter) {
        Rights rights = shard.gate.rightsOf(in);
        ProtocolError refused = Policy.subscribing(filter, rights);
        if (refused != null || shard.kind == Shard.Kind.IMPLIED || rights.holds(Actions.SESSION_READ)) {
            return refused;
        }
        for (String id : filter.sessionId()) {
            Session session = shard.state.sessions.live(id);
            if (session == null || !Policy.owns(in.conn().caller(), session)) {
                return Policy.missing(Actions.SESSION_READ);
            }
        }
        return null;
    }

    private void request(Input in, SubscriptionFilter filter) {
        Holder holder = holderOf(in);
        if (filter.group() != null) {
            groups.join(in, filter, holder);
            return;
        }
        Subscription same = sameAsked(holder, in.tenant(), filter);
        if (same != null) {
            created(in, same);
            return;
        }
        Subscription made = make(in, filter, holder);
        if (made == null) {
            return;
        }
        shard.append(in.header(shard.now(), "subscribe"), List.of(), List.of(new SubscriptionFact.Created(made)));
        watchExpiry(made);
        created(in, made);
        take(holder, shard.requireFeed(made.id()));
    }

    /** Lets the holder's wires have the deliveries. */
    static void take(Holder holder, Feed feed) {
        if (holder.session() != null) {
            holder.session().feeds.add(feed);
            holder.session().wires.values().forEach(feed::attach);
        }
    }

    /** Who holds what is asked for in this input: a session, or the caller of a single request. */
    record Holder(
            Subscription.Kind kind, String owner, @Nullable SessionHandle session) {}

    private Holder holderOf(Input in) {
        SessionHandle session = in.session();
        if (session == null && shard.kind == Shard.Kind.IMPLIED) {
            String named = in.event().sessionId();
            session = named == null ? null : in.conn().session(named);
            session = session == null ? shard.sessions.implied(in.conn()) : session;
        }
        return session == null
                ? new Holder(Subscription.Kind.API, Pulls.owner(in.conn().caller()), null)
                : new Holder(Subscription.Kind.SESSION, session.session.id(), session);
    }

    private @Nullable Subscription sameAsked(Holder holder, String tenant, SubscriptionFilter filter) {
        if (holder.session() == null || filter.fromCursor() != null) {
            return null;
        }
        Json.Obj wanted = filter.canonical();
        for (Subscription held : shard.state.subscriptions.of(holder.kind(), tenant, holder.owner())) {
            if (SubscriptionFilter.of(held.filter()).canonical().equals(wanted)) {
                return held;
            }
        }
        return null;
    }

    private @Nullable ProtocolError problem(Holder holder, String tenant, SubscriptionFilter filter) {
        long most = shard.hub.callers().quotas().of(tenant).limits().subscriptions();
        if (shard.kind == Shard.Kind.NETWORK && shard.state.subscriptions.countOf(tenant) >= most) {
            return Quotas.limited("subscriptions", WAIT_MILLIS);
        }
        HubConfig.Bounds bounds = shard.config.bounds();
        if (shard.state.subscriptions.count() >= bounds.maxSubscriptions()
                || shard.state
                                .subscriptions
                                .of(holder.kind(), tenant, holder.owner())
                                .size()
                        >= bounds.maxSubscriptionsPerSession()) {
            return ProtocolError.because(
                    ErrorCode.BUSY, "too_many_subscriptions", "too many subscriptions: cancel some");
        }
        if (filter.expiresAt() <= shard.now()) {
            return ProtocolError.subscriptionRejected("payload.expires_at", "a time in the future", "the past");
        }
        return null;
    }

    /** Position it starts behind, or -1 when the cursor is none of this log. */
    private long startOf(SubscriptionFilter filter) {
        String from = filter.fromCursor();
        long last = shard.journal.lastLsn();
        if (from == null || from.equals("latest")) {
            return last;
        }
        if (from.equals("earliest")) {
            return shard.journal.firstLsn() - 1;
        }
        Cursor cursor = Cursor.parse(from);
        long lsn = cursor == null ? -1 : filter.inclusive() ? cursor.lsn() - 1 : cursor.lsn();
        boolean inside = cursor != null
                && cursor.journal().equals(shard.journal.id())
                && lsn >= shard.journal.firstLsn() - 1
                && lsn <= last;
        return inside ? lsn : -1;
    }

    private ProtocolError outOfRange(String asked) {
        return ProtocolError.because(
                        ErrorCode.SUBSCRIPTION_REJECTED,
                        "cursor_out_of_range",
                        "the log does not reach from this cursor: start at earliest")
                .with("requested", asked)
                .with("earliest", shard.replies.cursor(Math.max(0, shard.journal.firstLsn() - 1)))
                .with("latest", shard.replies.cursor(shard.journal.lastLsn()));
    }

    /** What is asked for as a subscription; null when it was refused. */
    @Nullable Subscription make(Input in, SubscriptionFilter filter, Holder holder) {
        ProtocolError refused = problem(holder, in.tenant(), filter);
        long start = refused == null ? startOf(filter) : 0;
        if (refused == null && start < 0) {
            refused = outOfRange(String.valueOf(filter.fromCursor()));
        }
        if (refused != null) {
            shard.replies.refused(in, refused);
            return null;
        }
        long expires =
                filter.ttlMs() > 0 ? Math.min(filter.expiresAt(), shard.now() + filter.ttlMs()) : filter.expiresAt();
        int window = filter.maxInFlight() > 0
                ? Math.min(filter.maxInFlight(), 65_536)
                : shard.config.bounds().maxInFlight();
        return new Subscription(
                shard.hub.ids().next("sub"),
                holder.kind(),
                in.tenant(),
                holder.owner(),
                filter.canonical(),
                filter.mode() == null ? DeliveryMode.AT_LEAST_ONCE : filter.mode(),
                filter.retry().orElse(shard.config.retry()),
                window,
                LagPolicy.of(filter.raw().get("lag")),
                start,
                shard.now(),
                expires);
    }

    void created(Input in, Subscription made) {
        Event event = shard.replies
                .draft("subscription.created")
                .target(Replies.blankToNull(in.event().source()))
                .sessionId(in.sessionId())
                .correlationId(in.event().correlationId())
                .causationId(in.event().id())
                .payload(describe(made).build())
                .build();
        shard.replies.answer(in.conn(), in.bytes(), event, false);
    }

    /** What a subscription tells about itself. */
    Json.Builder describe(Subscription one) {
        return Json.Obj.builder()
                .put("subscription_id", one.id())
                .put("filter", one.filter())
                .put("created_at", Timestamps.format(one.createdAt()))
                .put("expires_at", one.expiresAt() == Long.MAX_VALUE ? null : Timestamps.format(one.expiresAt()))
                .put("delivery_mode", one.mode().wire())
                .put("retry", one.retry().toJson())
                .put("max_in_flight", one.maxInFlight())
                .put("ordering", one.ordersTasks() ? SubscriptionFilter.ORDERED_BY_TASK : null)
                .put("consumer_group", one.kind() == Subscription.Kind.GROUP ? one.owner() : null)
                .put("lag", one.lag().isEmpty() ? null : one.lag())
                .put("cursor", shard.replies.cursor(one.startLsn()));
    }

    // --- ending

    /** Idempotent; somebody else's subscription looks like one that is gone. */
    private void cancel(Input in) {
        String id = in.event().payload().string("subscription_id");
        Subscription held = id == null ? null : shard.state.subscriptions.find(id);
        Holder holder = holderOf(in);
        if (held != null
                && held.kind() == Subscription.Kind.GROUP
                && held.tenant().equals(in.tenant())) {
            groups.leave(in, held, holder);
        } else if (held != null
                && held.kind() == holder.kind()
                && held.owner().equals(holder.owner())
                && held.tenant().equals(in.tenant())) {
            shard.append(
                    in.header(shard.now(), "subscribe"),
                    List.of(),
                    List.of(new SubscriptionFact.Removed(held.id(), "cancelled")));
        }
        Event event = shard.replies
                .draft("subscription.cancelled")
                .target(Replies.blankToNull(in.event().source()))
                .sessionId(in.sessionId())
                .correlationId(in.event().correlationId())
                .causationId(in.event().id())
                .payload(Json.Obj.builder().put("subscription_id", id).build())
                .build();
        shard.replies.answer(in.conn(), in.bytes(), event, false);
    }

    void watchExpiry(Subscription subscription) {
        if (subscription.expiresAt() != Long.MAX_VALUE) {
            shard.timers.at(subscription.expiresAt(), () -> expire(subscription.id()));
        }
    }

    private void expire(String id) {
        Subscription gone = shard.state.subscriptions.find(id);
        if (gone != null && gone.expiresAt() <= shard.now()) {
            end(gone, "expired");
        }
    }

    /** Takes a subscription from a session that may no longer read it; a group goes on without that member. */
    void withdraw(Subscription held, SessionHandle handle) {
        if (held.kind() != Subscription.Kind.GROUP) {
            end(held, Callers.UNCOVERED);
            return;
        }
        groups.leave(shard.systemHeader(Callers.UNCOVERED), held, handle);
        tellEnded(held, Callers.UNCOVERED, handle);
    }

    private void tellEnded(Subscription gone, String reason, SessionHandle holder) {
        Event told = shard.replies
                .draft("subscription.expired")
                .sessionId(holder.session.id())
                .payload(Json.Obj.builder()
                        .put("subscription_id", gone.id())
                        .put("reason", reason)
                        .build())
                .build();
        holder.wires.keySet().forEach(conn -> shard.replies.tell(conn, told));
    }

    /** Ends a subscription from the hub's side and tells who held it. */
    void end(Subscription gone, String reason) {
        List<String> holders = gone.kind() == Subscription.Kind.GROUP
                ? shard.state.subscriptions.members(gone.id())
                : List.of(gone.owner());
        shard.append(
                shard.systemHeader("subscription " + reason).in(gone.tenant()),
                List.of(),
                List.of(new SubscriptionFact.Removed(gone.id(), reason)));
        for (String sessionId : holders) {
            SessionHandle holder = shard.handles.get(sessionId);
            if (holder != null) {
                tellEnded(gone, reason, holder);
            }
        }
    }

    // --- inboxes

    /** The fact that gives an identity its inbox, or null when it has one or there are too many. */
    SubscriptionFact.@Nullable Created inboxIfNew(String tenant, String identity) {
        String id = Subscription.inboxId(tenant, identity);
        boolean full =
                shard.state.subscriptions.count() >= shard.config.bounds().maxSubscriptions();
        if (full || shard.state.subscriptions.find(id) != null) {
            return null;
        }
        return new SubscriptionFact.Created(new Subscription(
                id,
                Subscription.Kind.INBOX,
                tenant,
                identity,
                Json.Obj.builder().put("target", List.of(identity)).build(),
                DeliveryMode.AT_LEAST_ONCE,
                shard.config.retry(),
                shard.config.bounds().maxInFlight(),
                Json.Obj.of(),
                shard.journal.lastLsn(),
                shard.now(),
                Long.MAX_VALUE));
    }
}
