package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventDraft;
import dev.harmovela.contract.Timestamps;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.delivery.Delivery;
import dev.harmovela.harness.delivery.Feed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tells those who ask how stored events fare: published, dispatched, delivered, acknowledged (§6, D32).
 *
 * <p>Only filters that name the {@code event} family bring these; they are best effort, are neither stored nor
 * numbered nor tracked, and nothing is made while nobody asks. They carry task, conversation, correlation and topic
 * of the event they speak of, so that a filter can follow one task. One owner, not thread-safe.
 */
final class Tracking {

    private static final String FAMILY = "event";
    private static final String ACKNOWLEDGED = "event.acknowledged";
    private static final Set<String> TYPES =
            Set.of("event.published", "event.dispatched", "event.delivered", ACKNOWLEDGED);

    private final Shard shard;
    private final Map<String, List<Feed>> asking = new HashMap<>();
    private boolean wanted;

    Tracking(Shard shard) {
        this.shard = shard;
    }

    /** Whether anybody asks; the only cost of tracking when nobody does. */
    boolean wanted() {
        return wanted;
    }

    void added(Feed feed) {
        if (TYPES.stream().anyMatch(type -> names(feed, type))) {
            asking.computeIfAbsent(feed.route().subscription().tenant(), _ -> new ArrayList<>())
                    .add(feed);
            wanted = true;
        }
    }

    void dropped(Feed feed) {
        asking.computeIfPresent(feed.route().subscription().tenant(), (_, feeds) -> {
            feeds.remove(feed);
            return feeds.isEmpty() ? null : feeds;
        });
        wanted = !asking.isEmpty();
    }

    private static boolean names(Feed feed, String type) {
        for (TypePattern pattern : feed.route().filter().types()) {
            if (pattern.names(FAMILY) && pattern.matches(type)) {
                return true;
            }
        }
        return false;
    }

    /** An event was stored. */
    void published(String tenant, Event event, long lsn) {
        tell(tenant, "event.published", event, payload -> payload.put("cursor", shard.replies.cursor(lsn)));
    }

    /** A copy was handed to a way out. */
    void dispatched(Delivery copy) {
        tellOf(copy, "event.dispatched");
    }

    /** A copy was put on the wire. */
    void delivered(Delivery copy) {
        tellOf(copy, "event.delivered");
    }

    private void tellOf(Delivery copy, String type) {
        Feed feed = copy.lsn() == 0 ? null : shard.feeds.get(copy.subscription());
        if (feed != null) {
            tell(
                    feed.route().subscription().tenant(),
                    type,
                    copy.event(),
                    payload -> payload.put("subscription_id", copy.subscription())
                            .put("sequence", copy.seq())
                            .put("cursor", shard.replies.cursor(copy.lsn()))
                            .put("attempt", copy.attempt()));
        }
    }

    /** A consumer has acknowledged a delivery. */
    void acknowledged(Feed feed, long seq, long lsn) {
        String tenant = feed.route().subscription().tenant();
        shard.deliveries.fetch(lsn, event -> {
            if (event != null) {
                tell(
                        tenant,
                        ACKNOWLEDGED,
                        event,
                        payload -> payload.put("acknowledged_event_id", event.id())
                                .put("subscription_id", feed.id())
                                .put("sequence", seq)
                                .put("cursor", shard.replies.cursor(lsn)));
            }
        });
    }

    private void tell(String tenant, String type, Event about, Consumer<Json.Builder> more) {
        List<Feed> feeds = asking.get(tenant);
        if (feeds == null) {
            return;
        }
        Event told = null;
        for (Feed feed : feeds) {
            if (names(feed, type)) {
                told = told == null ? draft(type, about, more) : told;
                if (feed.route().filter().matches(told)) {
                    feed.passing(told);
                }
            }
        }
    }

    private Event draft(String type, Event about, Consumer<Json.Builder> more) {
        Json.Builder payload = Json.Obj.builder()
                .put("original_event_id", about.id())
                .put("original_event_type", about.type().name())
                .put("at", Timestamps.format(shard.now()));
        more.accept(payload);
        EventDraft draft = shard.replies
                .draft(type)
                .taskId(about.taskId())
                .correlationId(about.correlationId())
                .topic(about.topic())
                .conversationId(about.conversationId())
                .member("traceparent", about.member("traceparent"));
        return draft.payload(payload.build()).build();
    }
}
