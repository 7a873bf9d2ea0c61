package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventReader;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.GovernanceFact.Asked;
import dev.harmovela.dimension.governance.GovernanceFact.Denied;
import dev.harmovela.dimension.governance.GovernanceFact.Origin;
import dev.harmovela.dimension.governance.GovernanceFact.Passed;
import dev.harmovela.harness.frame.Frame;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what was refused (D41) and what passed without a trace (D45), without a force of its own: it goes with
 * the next frame, or within a second.
 *
 * <p>The first few of a principal, code and second are told one by one, the rest by its number. Whoever attacks under
 * many names, or under none, is counted together, so that memory and log stay bounded. One owner, not thread-safe.
 */
final class Denials {

    /** Refusals of a principal, code and second that are told one by one. */
    static final int SINGLES = 20;

    /** Principals and codes of a second that are told apart. */
    static final int MOST_NAMES = 256;

    /** Stands for those who are not told apart. */
    static final String OTHERS = "(others)";

    private static final int MOST_WAITING = 4096;
    private static final int LONGEST = 200;
    private static final long SECOND = 1000;

    private final Shard shard;
    private final Map<String, Count> counts = new LinkedHashMap<>();
    private final Map<String, List<Fact>> waiting = new LinkedHashMap<>();
    private int waitingCount;
    private long second;
    private boolean armed;

    private static final class Count {
        private final String tenant;
        private final Denied last;
        private long all;
        private long told;

        Count(String tenant, Denied last) {
            this.tenant = tenant;
            this.last = last;
        }
    }

    Denials(Shard shard) {
        this.shard = shard;
    }

    // --- what is refused

    /** An event was refused. */
    void event(Conn conn, @Nullable Event event, ProtocolError error) {
        if (event == null) {
            refused(conn.info.caller(), conn.info.transport(), asked("publish", "", "", ""), "", error);
            return;
        }
        Caller caller = conn.info.caller();
        refused(caller, conn.info.transport(), what(event, otherTenant(caller, event)), event.source(), error);
    }

    /** The tenant an event reached for, when it is not the caller's own; empty otherwise. */
    private String otherTenant(Caller caller, Event event) {
        String named = event.targetTenantId() != null ? event.targetTenantId() : event.tenantId();
        if (named != null && !named.equals(caller.tenant())) {
            return cut(named);
        }
        return event.sessionId() == null ? "" : otherTenant(caller, event.sessionId());
    }

    /** The tenant of a session or subscription that is not the caller's; empty for anything else. */
    private String otherTenant(Caller caller, String id) {
        Session session = shard.state.sessions.live(id);
        Subscription subscription = session == null ? shard.state.subscriptions.find(id) : null;
        String tenant = session != null ? session.tenant() : subscription != null ? subscription.tenant() : "";
        return tenant.equals(caller.tenant()) ? "" : tenant;
    }

    private static String actionOf(Event event) {
        return switch (event.type().name()) {
            case "subscription.requested" -> "subscribe";
            case "event.acknowledged", "event.rejected" -> "acknowledge";
            case "session.open", "session.opened" -> "login";
            default -> "publish";
        };
    }

    /** A command or query, or an answer to one, went through that leaves no frame of its own (D45). */
    void passed(Input in) {
        if (shard.kind == Shard.Kind.NETWORK) {
            Event event = in.event();
            Caller caller = in.conn().info.caller();
            Origin origin = new Origin(
                    in.tenant(),
                    in.actor(),
                    in.conn().info.transport(),
                    cut(caller.credential().name()),
                    "");
            queue(in.tenant(), new Passed(shard.now(), origin, what(event, "")));
            arm();
        }
    }

    private static Asked what(Event event, String otherTenant) {
        return new Asked(
                actionOf(event),
                event.type().name(),
                cut(event.id()),
                cut(event.target()),
                otherTenant,
                cut(event.correlationId()),
                cut(event.causationId()),
                cut(event.taskId()));
    }

    /** Something that could not be read as an event was refused. */
    void unreadable(Conn conn, EventReader.Read.Bad bad) {
        Asked what = new Asked(
                "publish",
                bad.type() == null || shard.config.registry().find(bad.type()) == null ? "" : bad.type(),
                cut(bad.id()),
                "",
                "",
                cut(bad.correlationId()),
                "",
                cut(bad.taskId()));
        String claimed = bad.source() == null ? "" : bad.source();
        refused(conn.info.caller(), conn.info.transport(), what, claimed, bad.first());
    }

    /** A request that is no event was refused. */
    void request(Caller caller, String transport, String action, @Nullable String resource, ProtocolError error) {
        String other = resource == null ? "" : otherTenant(caller, resource);
        refused(caller, transport, new Asked(action, "", "", cut(resource), other, "", "", ""), "", error);
    }

    /** Somebody without a valid credential was turned away by a transport. */
    void stranger(String transport, String address, ProtocolError error) {
        Credential none = new Credential("", List.of(), List.of(), List.of(), Long.MAX_VALUE);
        Caller nobody = new Caller(null, Caller.DEFAULT_TENANT, Caller.Trust.VERIFIED, none);
        refused(nobody, transport, asked("login", "", "", cut(address)), "", error);
    }

    private static Asked asked(String action, String type, String id, String target) {
        return new Asked(action, type, id, target, "", "", "", "");
    }

    private void refused(Caller caller, String transport, Asked what, String claimed, ProtocolError error) {
        if (shard.kind != Shard.Kind.NETWORK) {
            return;
        }
        String believed = caller.identity() != null ? caller.identity() : named(caller) ? cut(claimed) : "";
        Origin origin = new Origin(
                caller.tenant(), believed, transport, cut(caller.credential().name()), cut(claimed));
        String reason = error.reason().isEmpty() ? error.wireCode() : error.reason();
        Denied denied = new Denied(shard.now(), origin, error.wireCode(), cut(reason), what, 1);
        add(caller.tenant(), denied);
        if (!what.tenant().isEmpty()) {
            add(what.tenant(), denied);
        }
    }

    /** Whether the name in a message is believed where the credential names nobody. */
    private static boolean named(Caller caller) {
        return caller.trust() != Caller.Trust.VERIFIED;
    }

    private static String cut(@Nullable String text) {
        return text == null ? "" : text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }

    // --- counting

    private void add(String tenant, Denied denied) {
        long now = shard.now() / SECOND;
        if (now != second) {
            tellCounts();
            second = now;
        }
        String name = tenant + '\n' + denied.origin().principal() + '\n' + denied.error();
        Count count = counts.get(name);
        if (count == null && counts.size() >= MOST_NAMES) {
            name = OTHERS + '\n' + denied.error();
            count = counts.get(name);
        }
        if (count == null) {
            Denied shown = name.startsWith(OTHERS) ? anonymous(denied) : denied;
            count = new Count(name.startsWith(OTHERS) ? Caller.DEFAULT_TENANT : tenant, shown);
            counts.put(name, count);
        }
        count.all++;
        if (count.all <= SINGLES && waitingCount < MOST_WAITING) {
            count.told++;
            queue(tenant, denied);
        }
        arm();
    }

    /** A refusal that stands for those of many: nothing of the one it was is told. */
    private static Denied anonymous(Denied one) {
        Origin origin = new Origin(one.origin().tenant(), OTHERS, "", "", "");
        return new Denied(one.at(), origin, one.error(), one.reason(), asked("", "", "", ""), 1);
    }

    private void queue(String tenant, Fact fact) {
        waiting.computeIfAbsent(tenant, _ -> new ArrayList<>()).add(fact);
        waitingCount++;
    }

    /** The second is over: what was not told one by one is told by its number. */
    private void tellCounts() {
        for (Count count : counts.values()) {
            long rest = count.all - count.told;
            if (rest > 0) {
                Denied one = count.last;
                Asked what = asked(one.what().action(), "", "", "");
                queue(count.tenant, new Denied(one.at(), one.origin(), one.error(), one.reason(), what, rest));
            }
        }
        counts.clear();
    }

    // --- writing

    private void arm() {
        if (!armed) {
            armed = true;
            shard.timers.at(shard.now() + SECOND, () -> {
                armed = false;
                if (shard.now() / SECOND != second) {
                    tellCounts();
                }
                flush(true);
                if (!counts.isEmpty()) {
                    arm();
                }
            });
        }
    }

    /** Writes what waits, when there is a frame to go with or too much waits. */
    void flush(boolean goes) {
        if (waitingCount == 0 || (!goes && waitingCount < MOST_WAITING / 2)) {
            return;
        }
        Map<String, List<Fact>> facts = new LinkedHashMap<>(waiting);
        waiting.clear();
        waitingCount = 0;
        facts.forEach((tenant, of) ->
                shard.append(Frame.Header.hub(shard.now(), tenant, Replies.HUB, "denials"), List.of(), of));
    }

    /** The shard ends: nothing is held back. */
    void end() {
        tellCounts();
        flush(true);
    }

    /** Refusals that wait to be written; for the proof that they are bounded. */
    int waiting() {
        return waitingCount;
    }
}
