package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.SessionState;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Claims;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.dimension.governance.Roles;
import dev.harmovela.dimension.governance.Standing;
import dev.harmovela.harness.delivery.AskKey;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.FrameCodec;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.WireInfo;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks an event passes before a dimension decides about it, in the order of §1: session, duplicate, rights.
 * They look at the state before the input and change nothing.
 */
final class Gate {

    private final Shard shard;
    private final Claims claims = new Claims(Roles.STANDARD);
    private final Rights nothing;

    Gate(Shard shard) {
        this.shard = shard;
        this.nothing = Rights.of(List.of(), shard.config.registry());
    }

    void accept(Conn conn, Event event, int bytes) {
        if (event.type().in("session")) {
            session(conn, event, bytes);
            return;
        }
        if (isForged(conn, event)) {
            deny(input(conn, event, null, bytes), Policy.forged());
            return;
        }
        boolean implied = shard.kind == Shard.Kind.IMPLIED;
        boolean sessionless = implied || isRequestWithoutSession(conn);
        ProtocolError refused =
                implied ? impliedSessionProblem(event) : sessionless ? null : sessionProblem(conn, event);
        if (refused != null) {
            shard.replies.refused(conn, event, refused, List.of(refused), bytes);
            return;
        }
        SessionHandle session = sessionless ? null : sessionOf(conn, event);
        Input in = input(conn, event, session, bytes);
        if (session != null) {
            session.lastSeen = shard.now();
        }
        shard.presences.seen(in.tenant(), in.actor(), shard.now());
        if (shard.hub.isPoison(event)) {
            shard.replies.refused(in, ProtocolError.internal().retryable(false));
        } else {
            dispatch(in);
        }
    }

    /** Opening answers a forged source by itself. */
    private void session(Conn conn, Event event, int bytes) {
        boolean opens = event.type().name().equals("session.open")
                || event.type().name().equals("session.opened");
        if (!opens && isForged(conn, event)) {
            deny(input(conn, event, null, bytes), Policy.forged());
        } else {
            shard.sessions.handle(conn, event, bytes);
        }
    }

    /** The input of an event whose session is known. */
    Input input(Conn conn, Event event, @Nullable SessionHandle session, int bytes) {
        String tenant = tenantOf(conn, event, session);
        return new Input(conn, event, session, tenant, actorOf(conn, event, session), bytes);
    }

    private void dispatch(Input given) {
        Input in = named(given);
        Event event = in.event();
        if (!isControl(event) && Shard.isStored(event) && answeredAsDuplicate(in)) {
            return;
        }
        ProtocolError refused = claimsProblem(in);
        if (refused == null && event.type().hubOnly()) {
            hubOnly(in);
            return;
        }
        if (refused == null && !isControl(event)) {
            refused = Policy.publishing(event, in.actor(), rightsOf(in));
        }
        if (refused == null && !isControl(event) && shard.kind == Shard.Kind.NETWORK) {
            refused = shard.hub.callers().quotas().publishing(in.conn().caller().tenant(), shard.now());
        }
        if (refused == null && isControl(event) && crosses(in)) {
            refused = ProtocolError.because(
                    ErrorCode.NOT_SUPPORTED, "cross_tenant_control", "subscribe with a credential of that tenant");
        }
        if (refused != null) {
            deny(in, refused);
        } else {
            handle(crosses(in) ? in.into(String.valueOf(event.targetTenantId())) : in);
        }
    }

    /** An unauthorised subscription is refused by {@code event.rejected}, everything else as its family says (D25). */
    private void deny(Input in, ProtocolError error) {
        if (in.event().type().in("subscription") && error.code() == ErrorCode.UNAUTHORIZED) {
            shard.replies.unauthorized(in, error);
        } else {
            shard.replies.refused(in, error);
        }
    }

    /** An event that is let into another tenant is that tenant's from here on (D35). */
    private boolean crosses(Input in) {
        String target = in.event().targetTenantId();
        return target != null && shard.kind == Shard.Kind.NETWORK && !target.equals(in.tenant());
    }

    /** On implied sessions a declaration binds the one who made it, in whatever session its events come (D35). */
    Rights rightsOf(Input in) {
        if (shard.kind != Shard.Kind.IMPLIED) {
            return in.rights();
        }
        for (SessionHandle one : shard.handles.values()) {
            if (one.session.identity().equals(in.event().source())) {
                return one.rights(shard.hub.callers().policy().rights(Caller.implied()));
            }
        }
        return shard.hub.callers().policy().rights(Caller.implied());
    }

    private void handle(Input in) {
        Event event = in.event();
        switch (event.type().family()) {
            case "capabilities" -> shard.sessions.capabilities(in);
            case "subscription" -> shard.subscriptions.handle(in);
            case "event" -> shard.settlements.handle(in);
            default -> other(in);
        }
    }

    /**
     * A task that its submitter did not name gets its id here, in front of the duplicate check: made from tenant,
     * source and event id, so that the same submission repeated is the same task. Subscribers see the id in the
     * envelope.
     */
    private Input named(Input in) {
        Event event = in.event();
        if (event.taskId() != null || !event.type().name().equals("task.submitted")) {
            return in;
        }
        String whose = in.tenant() + '\n' + event.source() + '\n' + event.id();
        String id = "task_"
                + Long.toHexString(FrameCodec.key("task", whose))
                + Long.toHexString(FrameCodec.key("name", whose));
        byte[] head = ("{\"task_id\":\"" + id + "\",").getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = Arrays.copyOf(head, head.length + event.bytes().length - 1);
        System.arraycopy(event.bytes(), 1, bytes, head.length, event.bytes().length - 1);
        return shard.hub.read(bytes, 0, bytes.length) instanceof EventReader.Read.Ok ok
                ? in.with(ok.event().under(event.delivery()))
                : in;
    }

    private void other(Input in) {
        Event event = in.event();
        if (event.type().name().equals("query.requested") && Replies.HUB.equals(event.target())) {
            shard.questions.queries().query(in);
        } else {
            shard.events.handle(in);
        }
    }

    /** Types that only the hub originates are refused from the network; fixtures carry both sides (D15). */
    private void hubOnly(Input in) {
        if (shard.kind == Shard.Kind.IMPLIED) {
            shard.events.played(in);
        } else {
            shard.replies.refused(
                    in,
                    ProtocolError.unauthorized(
                            "hub_only",
                            "only the hub may send " + in.event().type().name()));
        }
    }

    private static boolean isControl(Event event) {
        return switch (event.type().family()) {
            case "capabilities", "subscription", "event" -> true;
            default -> false;
        };
    }

    private boolean answeredAsDuplicate(Input in) {
        switch (shard.duplicates.check(in.tenant(), in.event(), shard.journal.lastLsn())) {
            case FRESH -> {
                return false;
            }
            case DUPLICATE ->
                shard.replies.acknowledged(
                        in, shard.duplicates.foundLsn(), true, in.event().taskId());
            case CONFLICT ->
                shard.replies.refused(
                        in,
                        ProtocolError.of(ErrorCode.CONFLICT, "an event with this id and other content is already there")
                                .with("id", in.event().id()));
        }
        return true;
    }

    // --- sessions

    private static boolean isRequestWithoutSession(Conn conn) {
        return conn.info.kind() == WireInfo.Kind.REQUEST && conn.sessions.isEmpty();
    }

    private @Nullable ProtocolError sessionProblem(Conn conn, Event event) {
        String id = event.sessionId();
        if (id == null) {
            return switch (conn.sessions.size()) {
                case 0 -> ProtocolError.because(ErrorCode.SESSION_ERROR, "no_session", "no session is open here");
                case 1 -> notReady(conn.sessions.values().iterator().next());
                default ->
                    ProtocolError.because(
                            ErrorCode.SESSION_ERROR, "ambiguous_session", "several sessions are open: name one");
            };
        }
        SessionHandle session = conn.session(id);
        return session == null ? unknownSession(conn.caller(), id) : notReady(session);
    }

    /** Why a session id cannot be used here; a foreign one looks like an unknown one. */
    ProtocolError unknownSession(Caller caller, String id) {
        return endedOwn(caller, id) ? closed(id) : neverOpened(id);
    }

    /** Whether the caller had a session of that id which has ended. */
    boolean endedOwn(Caller caller, String id) {
        Session gone = shard.state.sessions.ended(id);
        return gone != null && (shard.kind == Shard.Kind.IMPLIED || Policy.owns(caller, gone));
    }

    /** The answer for the id of a session that is over. */
    ProtocolError closed(String id) {
        return reach(ProtocolError.of(ErrorCode.SESSION_CLOSED, "the session has ended: open a new one"))
                .with("session_id", id);
    }

    /** Says from where a new session can go on (SES-05). */
    private ProtocolError reach(ProtocolError error) {
        return error.with("earliest", shard.replies.cursor(Math.max(0, shard.journal.firstLsn() - 1)))
                .with("latest", shard.replies.cursor(shard.journal.lastLsn()));
    }

    /** The answer for an id that nobody ever opened. */
    ProtocolError neverOpened(String id) {
        return reach(ProtocolError.because(
                        ErrorCode.SESSION_ERROR,
                        "unknown_session",
                        "no such session: open a new one without an id and subscribe from your last cursor"))
                .with("session_id", id);
    }

    private static @Nullable ProtocolError notReady(SessionHandle session) {
        return session.session.state() == SessionState.READY
                ? null
                : ProtocolError.because(ErrorCode.SESSION_ERROR, "not_ready", "send session.ready first");
    }

    private @Nullable SessionHandle sessionOf(Conn conn, Event event) {
        String id = event.sessionId();
        return id == null ? conn.sessions.values().iterator().next() : conn.session(id);
    }

    /** On an implied wire an event of a session that has ended is refused, any other is taken (D7, SES-08). */
    @Nullable ProtocolError impliedSessionProblem(Event event) {
        String id = event.sessionId();
        return id != null && shard.state.sessions.ended(id) != null ? closed(id) : null;
    }

    // --- who

    private String tenantOf(Conn conn, Event event, @Nullable SessionHandle session) {
        if (session != null) {
            return session.session.tenant();
        }
        if (shard.kind == Shard.Kind.IMPLIED) {
            String named = event.targetTenantId() != null ? event.targetTenantId() : event.tenantId();
            return named == null ? conn.caller().tenant() : named;
        }
        return conn.caller().tenant();
    }

    private String actorOf(Conn conn, Event event, @Nullable SessionHandle session) {
        if (!event.source().isEmpty()) {
            return event.source();
        }
        String identity = conn.caller().identity();
        return session != null ? session.session.identity() : identity == null ? "" : identity;
    }

    /** Whether the source is nobody the caller may speak for; a handshake may leave it out. */
    private boolean isForged(Conn conn, Event event) {
        return shard.kind == Shard.Kind.NETWORK
                && !event.source().isEmpty()
                && !Policy.speaksFor(conn.caller(), event.source());
    }

    @Nullable ProtocolError claimsProblem(Input in) {
        if (!in.event().hasClaims()) {
            return null;
        }
        boolean implied = shard.kind == Shard.Kind.IMPLIED;
        Caller caller = in.conn().caller();
        Rights rights = implied ? nothing : in.rights();
        ProtocolError refusal = claims.evaluate(in.event(), new Standing(caller.tenant(), rights, implied))
                .refusal();
        boolean asks = in.event().member("requested_action") != null;
        boolean borrowed = asks
                && !implied
                && in.event().member("actor_id") instanceof Json.Str actor
                && !Policy.speaksFor(caller, actor.value());
        return refusal == null && borrowed
                ? ProtocolError.unauthorized("forged_actor", "actor_id is not the authenticated identity")
                : refusal;
    }

    /** Settles the request that an event of its receiver answers (D32). */
    void settleAsked(Input in) {
        if (in.event().taskId() == null && in.event().correlationId() == null) {
            return;
        }
        settleAsked(in, in.actor());
        if (in.session() != null) {
            Presences.pools(in.session().session).forEach(pool -> settleAsked(in, pool));
        }
    }

    private void settleAsked(Input in, String name) {
        Feed inbox = shard.feeds.get(Subscription.inboxId(in.tenant(), name));
        if (inbox != null && inbox.inFlight() > 0) {
            answered(inbox, AskKey.task(in.event().taskId()), in.actor());
            answered(inbox, AskKey.correlation(in.event().correlationId()), in.actor());
        }
    }

    /** Progress pushes the deadline of the request in whatever subscription brought it. */
    void pushDeadlines(Input in) {
        String key = AskKey.task(in.event().taskId());
        if (key != null && in.session() != null) {
            in.session().feeds.forEach(feed -> feed.settling().worked(key));
        }
    }

    private static void answered(Feed inbox, @Nullable String key, String principal) {
        if (key != null) {
            inbox.settling().answered(key, principal);
        }
    }
}
