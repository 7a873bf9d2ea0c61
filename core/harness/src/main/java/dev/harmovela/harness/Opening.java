package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.HubOffer;
import dev.harmovela.dimension.event.Negotiation;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.SessionFact;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.CloseReason;
import dev.harmovela.spi.WireInfo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens and resumes sessions by either handshake (§3, D1, D2, D27). */
final class Opening {

    /** Which of the two handshakes a client speaks. */
    enum Handshake {
        /** {@code session.open}, answered by {@code session.opened}; the client confirms. */
        SEED,
        /** A client-sent {@code session.opened}, answered by {@code session.opened} and {@code session.ready}. */
        OLDER
    }

    /** When to try again what no clock frees. */
    private static final long WAIT_MILLIS = 1000;

    private final Shard shard;

    Opening(Shard shard) {
        this.shard = shard;
    }

    void open(Input in, Handshake handshake) {
        Json.Obj asked = capabilities(in.event());
        String identity = identityOf(in, asked);
        if (identity == null) {
            refuse(in, Policy.forged());
            return;
        }
        String id = sessionIdOf(in.event());
        SessionHandle known = id == null ? null : shard.handles.get(id);
        if (known != null && own(known, in, identity)) {
            resume(in, known, handshake);
            return;
        }
        ProtocolError refused = problem(in, id, known, identity, handshake);
        if (refused != null) {
            refuse(in, refused);
            return;
        }
        switch (Negotiation.negotiate(asked, offer(in.conn(), asked), versionOf(in.event()))) {
            case Negotiation.Outcome.Refused no -> refuse(in, no.error());
            case Negotiation.Outcome.Agreed agreed ->
                create(in, isWish(in, id) ? null : id, identity, granted(agreed.capabilities()), handshake);
        }
    }

    /**
     * Where rights are enforced, the security profile can be had, and the session is told what it may do (§3, D35).
     */
    private HubOffer offer(Conn conn, Json.Obj asked) {
        HubOffer offer = offered(shard);
        if (shard.kind == Shard.Kind.IMPLIED || conn.caller().trust() != Caller.Trust.VERIFIED) {
            return offer;
        }
        Rights rights = asked.has("authorized_actions")
                ? conn.rights().narrowedTo(asked.strings("authorized_actions"))
                : conn.rights();
        return offer.secured(rights.scopes());
    }

    /** Inside a conformance space the feature that asked for it is shown as granted (D24). */
    private Json.Obj granted(Json.Obj agreed) {
        if (shard.kind != Shard.Kind.IMPLIED) {
            return agreed;
        }
        List<String> features = new ArrayList<>(agreed.strings("features"));
        features.add("conformance");
        return agreed.with("features", Json.of(features));
    }

    private static boolean own(SessionHandle known, Input in, String identity) {
        return known.session.identity().equals(identity)
                && known.session.tenant().equals(in.tenant());
    }

    /**
     * Whether the name of a new session is a wish only, which the hub does not grant: where tenants share a hub, a name
     * that is taken would tell of somebody else's session.
     */
    private boolean isWish(Input in, @Nullable String id) {
        return id != null
                && shard.kind == Shard.Kind.NETWORK
                && in.conn().caller().trust() == Caller.Trust.VERIFIED
                && !in.conn().info.namesSessions();
    }

    private @Nullable ProtocolError problem(
            Input in, @Nullable String id, @Nullable SessionHandle known, String identity, Handshake handshake) {
        boolean ended = id != null && shard.gate.endedOwn(in.conn().caller(), id);
        boolean mayName = handshake == Handshake.OLDER || in.conn().info.namesSessions();
        boolean taken = known != null && !isWish(in, id);
        if (id != null && (ended || taken || !mayName)) {
            return ended ? shard.gate.closed(id) : shard.gate.neverOpened(id);
        }
        if (shard.isDraining()) {
            return Replies.goingAway();
        }
        long most = shard.hub.callers().quotas().of(in.tenant()).limits().sessions();
        if (shard.kind == Shard.Kind.NETWORK && shard.state.sessions.countOf(in.tenant()) >= most) {
            return Quotas.limited("sessions", WAIT_MILLIS);
        }
        HubConfig.Bounds bounds = shard.config.bounds();
        boolean full = shard.state.sessions.count() >= bounds.maxSessions()
                || shard.state.sessions.countOf(in.tenant(), identity) >= bounds.maxSessionsPerIdentity()
                || in.conn().sessions.size() >= bounds.maxSessionsPerWire();
        return full
                ? ProtocolError.because(ErrorCode.BUSY, "too_many_sessions", "too many sessions are open: close some")
                : null;
    }

    /** By which names something can be sent to a session: its identity and the pools it belongs to. */
    static Set<String> names(Session session) {
        Set<String> names = new LinkedHashSet<>(List.of(session.identity()));
        names.addAll(Presences.pools(session));
        return names;
    }

    private void create(Input in, @Nullable String id, String identity, Json.Obj agreed, Handshake handshake) {
        String sessionId = id == null ? shard.hub.ids().next("sess") : id;
        Session session =
                Session.opened(sessionId, in.tenant(), identity, in.conn().info.transport(), agreed, shard.now());
        List<Fact> facts = new ArrayList<>();
        facts.add(new SessionFact.Opened(session));
        if (handshake == Handshake.OLDER) {
            facts.add(new SessionFact.Ready(sessionId));
        }
        for (String name : names(session)) {
            Fact inbox = shard.subscriptions.inboxIfNew(in.tenant(), name);
            if (inbox != null) {
                facts.add(inbox);
            }
        }
        String before = adoptable(in.event());
        for (Subscription orphan : orphansOf(before, in.tenant(), identity)) {
            facts.add(new SubscriptionFact.Adopted(orphan.id(), sessionId));
        }
        shard.append(in.header(shard.now(), "session"), List.of(), facts);
        SessionHandle handle = shard.requireHandle(sessionId);
        String asked = sessionIdOf(in.event());
        if (isWish(in, asked)) {
            in.conn().wished(java.util.Objects.requireNonNull(asked), sessionId);
        }
        if (shard.kind == Shard.Kind.IMPLIED) {
            handle.opener = in.conn().caller();
        }
        for (Subscription held : shard.state.subscriptions.of(Subscription.Kind.SESSION, in.tenant(), sessionId)) {
            handle.feeds.add(shard.requireFeed(held.id()));
        }
        if (shard.kind == Shard.Kind.IMPLIED && id == null) {
            shard.hub.spaces().named(shard, sessionId);
        }
        answer(in, handle, handshake, false);
    }

    private static @Nullable String adoptable(Event event) {
        String inPayload = event.payload().string("resume_session_id");
        return inPayload != null || !(event.member("resume_session_id") instanceof Json.Str top)
                ? inPayload
                : top.value();
    }

    private List<Subscription> orphansOf(@Nullable String before, String tenant, String identity) {
        Session gone = before == null ? null : shard.state.sessions.ended(before);
        boolean own = gone != null
                && gone.identity().equals(identity)
                && gone.tenant().equals(tenant);
        return own && before != null
                ? shard.state.subscriptions.of(Subscription.Kind.SESSION, tenant, before)
                : List.of();
    }

    private void resume(Input in, SessionHandle handle, Handshake handshake) {
        if (!wantsToShare(in.event())) {
            for (Conn older : List.copyOf(handle.wires.keySet())) {
                if (older != in.conn()) {
                    shard.sessions.detach(handle, older);
                    shard.later(() -> older.close(CloseReason.REPLACED, "the session was resumed elsewhere"));
                }
            }
        }
        answer(in, handle, handshake, true);
    }

    private static boolean wantsToShare(Event event) {
        return Boolean.TRUE.equals(event.payload().bool("share"))
                || (event.member("share") instanceof Json.Bool top && top.value());
    }

    private void answer(Input in, SessionHandle handle, Handshake handshake, boolean resumed) {
        Session session = handle.session;
        Json.Obj capabilities = shown(in.event(), session.capabilities());
        Json.Obj payload = Json.Obj.builder()
                .put("session_id", session.id())
                .put("capabilities", capabilities)
                .put("resumed", resumed ? Json.of(true) : null)
                .put("cursor", shard.replies.cursor(shard.journal.lastLsn()))
                .put("resume_window_ms", shard.config.bounds().resumeWindowMillis())
                .build();
        Event opened = shown(
                        in.event(),
                        told(in, session, "session.opened", payload)
                                .causationId(Replies.blankToNull(in.event().id()))
                                .member("capabilities", capabilities))
                .build();
        shard.replies.answer(in.conn(), in.bytes(), opened, false);
        if (handshake == Handshake.OLDER) {
            Json.Obj ready = Json.Obj.builder()
                    .put("session_id", session.id())
                    .put("max_payload_size", capabilities.integer("max_payload_size"))
                    .build();
            shard.replies.tell(
                    in.conn(),
                    shown(in.event(), told(in, session, "session.ready", ready)).build());
        }
        if (in.conn().info.kind() == WireInfo.Kind.DUPLEX) {
            shard.sessions.attach(handle, in.conn());
            shard.sessions.attachFeeds(handle);
        } else {
            in.conn().sessions.put(session.id(), handle);
            shard.sessions.watch(session.id());
        }
    }

    private EventDraft told(Input in, Session session, String type, Json.Obj payload) {
        return shard.replies
                .draft(type)
                .sessionId(session.id())
                .target(session.identity())
                .correlationId(in.event().correlationId())
                .payload(payload);
    }

    /** A peer that names the version by its older name is answered with both (D1). */
    private static EventDraft shown(Event asked, EventDraft draft) {
        return asked.member("aep_version") == null ? draft : draft.member("aep_version", Json.of(Negotiation.VERSION));
    }

    private static Json.Obj shown(Event asked, Json.Obj capabilities) {
        Json.Obj given = capabilities(asked);
        return given.get("aep_version") == null && asked.member("aep_version") == null
                ? capabilities
                : capabilities.with("aep_version", Json.of(Negotiation.VERSION));
    }

    private void refuse(Input in, ProtocolError error) {
        Event refused = shown(
                        in.event(),
                        shard.replies
                                .draft("session.error")
                                .sessionId(in.event().sessionId())
                                .target(Replies.blankToNull(in.event().source()))
                                .causationId(Replies.blankToNull(in.event().id()))
                                .member("error", error.toJson())
                                .payload(Json.Obj.builder()
                                        .put("session_id", in.event().sessionId())
                                        .put("error", error.toJson())
                                        .build()))
                .build();
        shard.replies.answer(in.conn(), in.bytes(), refused, false);
    }

    // --- what was asked

    static Json.Obj capabilities(Event event) {
        if (event.member("capabilities") instanceof Json.Obj top) {
            return top;
        }
        Json.Obj inner = event.payload().object("capabilities");
        return inner == null ? Json.Obj.of() : inner;
    }

    private static @Nullable String sessionIdOf(Event event) {
        return event.sessionId() != null ? event.sessionId() : event.payload().string("session_id");
    }

    private static @Nullable String versionOf(Event event) {
        String inPayload = event.payload().string("version");
        return inPayload == null ? event.payload().string("spec_version") : inPayload;
    }

    /** Who opens; null when the named source is not the authenticated identity. */
    private @Nullable String identityOf(Input in, Json.Obj capabilities) {
        String named = in.event().source().isEmpty()
                ? capabilities.string("agent_id")
                : in.event().source();
        Caller caller = in.conn().caller();
        if (shard.kind == Shard.Kind.NETWORK) {
            String asked = named == null ? caller.identity() : named;
            if (asked != null) {
                return Policy.speaksFor(caller, asked) ? asked : null;
            }
        }
        return named == null ? shard.hub.ids().next("agent:anon").toLowerCase(java.util.Locale.ROOT) : named;
    }

    /** What is offered at the moment: the transports of links come and go while the hub runs. */
    private static HubOffer offered(Shard shard) {
        return shard.hub.main().letters.links().offer(shard.config.offer());
    }

    /** What {@code capabilities.declared} says: the whole offer, and who makes it. */
    static Json.Obj everything(Shard shard) {
        HubOffer offer = offered(shard);
        Json.Obj asked = Json.Obj.builder()
                .put("profiles", List.copyOf(offer.profiles()))
                .put("features", List.copyOf(offer.features()))
                .build();
        return switch (Negotiation.negotiate(asked, offer, null)) {
            case Negotiation.Outcome.Agreed agreed -> {
                Json.Obj maker = offer.implementation();
                yield maker.isEmpty()
                        ? agreed.capabilities()
                        : agreed.capabilities().with("implementation", maker);
            }
            case Negotiation.Outcome.Refused refused -> throw new IllegalStateException(refused.toString());
        };
    }
}
