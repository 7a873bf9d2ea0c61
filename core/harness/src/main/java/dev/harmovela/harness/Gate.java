package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.dimension.event.SessionState;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Claims;
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

    Gate(Shard shard) {
        this.shard = shard;
    }

    void accept(Conn conn, Event event, int bytes) {
        if (event.type().in("session")) {
            shard.sessions.handle(conn, event, bytes);
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

    /** The input of an event whose session is known. */
    Input input(Conn conn, Event event, @Nullable SessionHandle session, int bytes) {
        String tenant = tenantOf(conn, event, session);
        return new Input(conn, event, session, tenant, actorOf(conn, event, session), bytes);
    }

    private void dispatch(Input given) {
        Input in = named(given);
        Event event = in.event();
        ProtocolError source = sourceProblem(in);
        if (source != null) {
            shard.replies.refused(in, source);
            return;
        }
        if (!isControl(event) && Shard.isStored(event) && answeredAsDuplicate(in)) {
            return;
        }
        ProtocolError claims = claimsProblem(in);
        if (claims != null && event.type().in("subscription")) {
            shard.replies.unauthorized(in, claims);
            return;
        }
        if (claims != null) {
            shard.replies.refused(in, claims);
            return;
        }
        if (event.type().hubOnly()) {
            hubOnly(in);
            return;
        }
        switch (event.type().family()) {
            case "capabilities" -> shard.sessions.capabilities(in);
            case "subscription" -> shard.subscriptions.handle(in);
            case "event" -> shard.settlements.handle(in);
            case "task" -> shard.tasks.handle(in);
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
            shard.questions.query(in);
        } else {
            shard.tasks.publish(in);
        }
    }

    /** Types that only the hub originates are refused from the network; fixtures carry both sides (D15). */
    private void hubOnly(Input in) {
        if (shard.kind == Shard.Kind.IMPLIED) {
            if (shard.tracker != null) {
                shard.tracker.inbound(in.event());
            }
            shard.replies.acknowledged(in, 0, false, in.event().taskId());
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
        SessionHandle session = conn.sessions.get(id);
        return session == null ? unknownSession(id) : notReady(session);
    }

    /** Why a session id cannot be used here; a foreign one looks like an unknown one. */
    ProtocolError unknownSession(String id) {
        return shard.state.sessions.ended(id) != null ? closed(id) : neverOpened(id);
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
        return id == null ? conn.sessions.values().iterator().next() : conn.sessions.get(id);
    }

    /** On an implied wire an event of a session that has ended is refused, any other is taken (D7, SES-08). */
    @Nullable ProtocolError impliedSessionProblem(Event event) {
        String id = event.sessionId();
        return id != null && shard.state.sessions.ended(id) != null ? unknownSession(id) : null;
    }

    // --- who

    private String tenantOf(Conn conn, Event event, @Nullable SessionHandle session) {
        if (session != null) {
            return session.session.tenant();
        }
        if (shard.kind == Shard.Kind.IMPLIED) {
            String named = event.targetTenantId() != null ? event.targetTenantId() : event.tenantId();
            return named == null ? conn.info.caller().tenant() : named;
        }
        return conn.info.caller().tenant();
    }

    private String actorOf(Conn conn, Event event, @Nullable SessionHandle session) {
        Caller caller = conn.info.caller();
        return switch (caller.trust()) {
            case VERIFIED -> caller.identity() == null ? event.source() : caller.identity();
            case OPEN, IMPLIED ->
                !event.source().isEmpty() ? event.source() : session == null ? "" : session.session.identity();
        };
    }

    private @Nullable ProtocolError sourceProblem(Input in) {
        Caller caller = in.conn().info.caller();
        boolean forged = caller.trust() == Caller.Trust.VERIFIED
                && caller.identity() != null
                && !caller.identity().equals(in.event().source());
        return forged ? ProtocolError.unauthorized("forged_source", "source is not the authenticated identity") : null;
    }

    @Nullable ProtocolError claimsProblem(Input in) {
        if (!in.event().hasClaims()) {
            return null;
        }
        boolean implied = shard.kind == Shard.Kind.IMPLIED;
        String home = in.conn().info.caller().tenant();
        return claims.evaluate(in.event(), new Standing(home, List.of(), implied))
                .refusal();
    }

    /** Settles the request that an event of its receiver answers (D32). */
    void settleAsked(Input in) {
        if (in.event().taskId() == null && in.event().correlationId() == null) {
            return;
        }
        Feed inbox = shard.feeds.get(Subscription.inboxId(in.tenant(), in.actor()));
        if (inbox != null && inbox.inFlight() > 0) {
            answered(inbox, AskKey.task(in.event().taskId()));
            answered(inbox, AskKey.correlation(in.event().correlationId()));
        }
    }

    /** Progress pushes the deadline of the request in whatever subscription brought it. */
    void pushDeadlines(Input in) {
        String key = AskKey.task(in.event().taskId());
        if (key != null && in.session() != null) {
            in.session().feeds.forEach(feed -> feed.settling().worked(key));
        }
    }

    private static void answered(Feed inbox, @Nullable String key) {
        if (key != null) {
            inbox.settling().answered(key);
        }
    }
}
