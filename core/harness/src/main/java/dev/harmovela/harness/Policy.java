package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Credential;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one answer to the question whether somebody may do something (§7, D25, D35, D40); every door asks here.
 *
 * <p>It knows rights and nothing of the state: what a caller cannot see by tenant and owner is never even looked up. A
 * refusal says what is missing and nothing about what is there. One owner, not thread-safe.
 */
final class Policy {

    private static final int MOST_CREDENTIALS = 1024;
    /** Names that are the hub's own: nobody speaks for it. */
    private static final List<String> HUB = List.of(Replies.HUB, "harness:adaptation");

    private final EventRegistry registry;
    private final Map<Credential, Rights> compiled = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Credential, Rights> eldest) {
            return size() > MOST_CREDENTIALS;
        }
    };

    Policy(EventRegistry registry) {
        this.registry = registry;
    }

    /** What the credential of a caller grants. */
    Rights rights(Caller caller) {
        return compiled.computeIfAbsent(caller.credential(), credential -> Rights.of(credential.grants(), registry));
    }

    // --- who

    /**
     * Whether a caller may send events as that identity: its own, or one it speaks for. Nobody speaks for another
     * harness or runtime.
     */
    static boolean speaksFor(Caller caller, String identity) {
        if (HUB.contains(identity)) {
            return false;
        }
        if (caller.trust() != Caller.Trust.VERIFIED || identity.equals(caller.identity())) {
            return true;
        }
        if (identity.startsWith("harness:") || identity.startsWith("runtime:")) {
            return false;
        }
        for (String glob : caller.speaksFor()) {
            if (Rights.covers(glob, identity)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a session is the caller's own. */
    static boolean owns(Caller caller, Session session) {
        return session.tenant().equals(caller.tenant()) && speaksFor(caller, session.identity());
    }

    static ProtocolError forged() {
        return ProtocolError.unauthorized("forged_source", "source is not the authenticated identity");
    }

    // --- events

    /** Why an event may not be published, or null. */
    static @Nullable ProtocolError publishing(Event event, String actor, Rights rights) {
        if (!rights.mayWrite(event.type())) {
            return missing(rights.missingToWrite(event.type()));
        }
        String target = event.target();
        if (target == null || target.equals(actor) || target.equals(Replies.HUB) || rights.maySend(target)) {
            return null;
        }
        return missing("send:" + target);
    }

    /** Why a filter may not be subscribed to, as a whole, or null (D25). */
    static @Nullable ProtocolError subscribing(SubscriptionFilter filter, Rights rights) {
        String missing = rights.missingToSubscribe(filter);
        return missing == null ? null : missing(missing);
    }

    /** Whether the deliveries of a subscription that is the caller's own may flow to it. */
    static boolean covers(Rights rights, Subscription subscription) {
        return subscription.kind() == Subscription.Kind.INBOX
                || rights.missingToSubscribe(SubscriptionFilter.of(subscription.filter())) == null;
    }

    // --- questions and actions

    /** Why a question may not be asked at all, or null; what a caller sees of the answer is narrowed besides. */
    static @Nullable ProtocolError asking(Ask ask, Rights rights) {
        return switch (ask.scope()) {
            case "dead_letters", "dead_letter" -> needs(Actions.DLQ_READ, rights);
            case "deliveries" -> "dead".equals(ask.filter().string("state")) ? needs(Actions.DLQ_READ, rights) : null;
            default -> null;
        };
    }

    /** Why an action may not be taken, or null. */
    static @Nullable ProtocolError acting(String action, Rights rights) {
        return needs(action, rights);
    }

    private static @Nullable ProtocolError needs(String action, Rights rights) {
        return rights.holds(action) ? null : missing(action);
    }

    /** The refusal that names the right that is missing. */
    static ProtocolError missing(String right) {
        return ProtocolError.because(ErrorCode.UNAUTHORIZED, "missing_right", "this needs " + right)
                .with("required", right);
    }
}
