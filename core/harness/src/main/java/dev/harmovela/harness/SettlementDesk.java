package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.recovery.NackAction;
import dev.harmovela.harness.delivery.Failure;
import dev.harmovela.harness.delivery.Feed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What consumers say about deliveries: acknowledged, refused (§6, D10, D16). Answered only when it is itself
 * refused (D26).
 */
final class SettlementDesk {

    private final Shard shard;

    SettlementDesk(Shard shard) {
        this.shard = shard;
    }

    void handle(Input in) {
        if (shard.tracker != null) {
            shard.tracker.inbound(in.event());
        }
        String eventId = in.event().settles().eventId();
        if (eventId == null) {
            withoutEvent(in);
        } else if (in.event().type().name().equals("event.acknowledged")) {
            settled(in, acknowledge(in, eventId));
        } else {
            settled(in, refuse(in, eventId));
        }
    }

    private void withoutEvent(Input in) {
        if (shard.kind == Shard.Kind.IMPLIED) {
            shard.replies.silent(in);
        } else {
            shard.replies.refused(
                    in, ProtocolError.invalidPayload("payload.acknowledged_event_id", "a string", "nothing"));
        }
    }

    private void settled(Input in, boolean found) {
        if (found || shard.kind == Shard.Kind.IMPLIED) {
            shard.replies.silent(in);
        } else {
            shard.replies.refused(
                    in,
                    ProtocolError.because(
                            ErrorCode.CONFLICT, "not_outstanding", "no delivery of this event waits for you"));
        }
    }

    private boolean acknowledge(Input in, String eventId) {
        boolean found = false;
        for (Feed feed : feedsOf(in)) {
            if (feed.settling().acknowledge(eventId, in.sessionId(), in.actor())) {
                found = true;
                feed.pump();
            }
        }
        return found;
    }

    private boolean refuse(Input in, String eventId) {
        Json.Obj error = in.event().payload().object("error");
        Failure failure = failure(error == null ? Json.Obj.of() : error, in.actor());
        boolean found = false;
        for (Feed feed : feedsOf(in)) {
            found |= feed.settling().refuse(eventId, in.sessionId(), failure);
        }
        return found;
    }

    /** A refusal as it was meant: the consumer's own word on retrying wins, an unknown code is retried (§6, §8). */
    private static Failure failure(Json.Obj said, String principal) {
        ProtocolError error = ProtocolError.parse(said);
        Boolean retryable = said.bool("retryable");
        String code = said.string("code");
        boolean unknown = code == null || (error.code() == ErrorCode.PROTOCOL_ERROR && !code.equals("protocol_error"));
        boolean again = (retryable == null && unknown) || NackAction.of(error, retryable != null) == NackAction.RETRY;
        Long wait = error.details().integer("retry_after_ms");
        return new Failure(error, again, wait == null ? 0 : Math.max(0, wait), principal);
    }

    /** The feeds whose deliveries this caller holds, narrowed to one subscription when it names one. */
    private List<Feed> feedsOf(Input in) {
        String subscription = in.event().settles().subscriptionId();
        if (subscription == null) {
            return List.copyOf(all(in));
        }
        Feed named = shard.feeds.get(subscription);
        return named != null && all(in).contains(named) ? List.of(named) : List.of();
    }

    private Collection<Feed> all(Input in) {
        if (in.session() != null) {
            return in.session().feeds;
        }
        List<Feed> feeds = new ArrayList<>();
        if (shard.kind == Shard.Kind.IMPLIED) {
            in.conn().sessions.values().forEach(session -> feeds.addAll(session.feeds));
            feeds.addAll(shard.sessions.implied(in.conn()).feeds);
        } else {
            String owner = Pulls.owner(in.conn().caller());
            for (Subscription held : shard.state.subscriptions.of(Subscription.Kind.API, in.tenant(), owner)) {
                addIfThere(feeds, shard.feeds.get(held.id()));
            }
            String named = in.event().payload().string("subscription_id");
            Feed group = named == null ? null : shard.feeds.get(named);
            if (group != null
                    && group.route().subscription().kind() == Subscription.Kind.GROUP
                    && group.route().subscription().tenant().equals(in.tenant())) {
                feeds.add(group);
            }
        }
        return feeds;
    }

    private static void addIfThere(List<Feed> feeds, @Nullable Feed feed) {
        if (feed != null) {
            feeds.add(feed);
        }
    }
}
