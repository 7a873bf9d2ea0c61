package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.Fact;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.event.SubscriptionFact;
import dev.harmovela.harness.delivery.Feed;
import dev.harmovela.harness.frame.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consumer groups (D39): one subscription of a name, shared out among its members. The first request fixes filter,
 * mode and retry; the position outlives the members.
 */
final class GroupDesk {

    private final Shard shard;

    GroupDesk(Shard shard) {
        this.shard = shard;
    }

    void join(Input in, SubscriptionFilter filter, SubscriptionDesk.Holder holder) {
        String name = Objects.requireNonNull(filter.group());
        List<Subscription> known = shard.state.subscriptions.of(Subscription.Kind.GROUP, in.tenant(), name);
        List<Fact> facts = new ArrayList<>();
        Subscription shared = known.isEmpty() ? made(in, filter, name, facts) : known.get(0);
        if (shared == null) {
            return;
        }
        if (differs(shared, filter)) {
            shard.replies.refused(in, differing(name, shared));
            return;
        }
        String member =
                holder.session() == null ? null : holder.session().session.id();
        if (member != null && !shard.state.subscriptions.members(shared.id()).contains(member)) {
            facts.add(new SubscriptionFact.Joined(shared.id(), member));
        }
        if (!facts.isEmpty()) {
            shard.append(in.header(shard.now(), "subscribe"), List.of(), facts);
        }
        if (known.isEmpty()) {
            shard.subscriptions.watchExpiry(shared);
        }
        shard.subscriptions.created(in, shared);
        SubscriptionDesk.take(holder, shard.requireFeed(shared.id()));
    }

    private @Nullable Subscription made(Input in, SubscriptionFilter filter, String name, List<Fact> facts) {
        SubscriptionDesk.Holder group = new SubscriptionDesk.Holder(Subscription.Kind.GROUP, name, null);
        Subscription made = shard.subscriptions.make(in, filter, group);
        if (made != null) {
            facts.add(new SubscriptionFact.Created(made));
        }
        return made;
    }

    private boolean differs(Subscription shared, SubscriptionFilter asked) {
        boolean otherRetry = !asked.retry().isUnset()
                && !asked.retry().orElse(shard.config.retry()).equals(shared.retry());
        return otherRetry || !SubscriptionFilter.of(shared.filter()).canonical().equals(asked.canonical());
    }

    private static ProtocolError differing(String name, Subscription shared) {
        return ProtocolError.because(
                        ErrorCode.SUBSCRIPTION_REJECTED,
                        "group_differs",
                        "the group was made with another filter, mode or retry policy")
                .with("path", "payload.consumer_group")
                .with("consumer_group", name)
                .with("filter", shared.filter())
                .with("retry", shared.retry().toJson());
    }

    /** A member leaves; a caller without a session deletes the group. */
    void leave(Input in, Subscription group, SubscriptionDesk.Holder holder) {
        Frame.Header header = in.header(shard.now(), "subscribe");
        if (holder.session() == null) {
            shard.append(header, List.of(), List.of(new SubscriptionFact.Removed(group.id(), "cancelled")));
        } else {
            leave(header, group, holder.session());
        }
    }

    void leave(Frame.Header header, Subscription group, SessionHandle member) {
        Feed feed = shard.feeds.get(group.id());
        shard.append(header, List.of(), List.of(new SubscriptionFact.Left(group.id(), member.session.id())));
        if (feed != null) {
            member.feeds.remove(feed);
            member.wires.values().forEach(feed::detach);
        }
    }

    /** What leaves a session's groups when it ends. */
    static List<Fact> leaving(Shard shard, String sessionId) {
        return shard.state.subscriptions.groupsOf(sessionId).stream()
                .<Fact>map(group -> new SubscriptionFact.Left(group, sessionId))
                .toList();
    }

    /** Groups a session belongs to after a restart. */
    static void restore(Shard shard, SessionHandle handle) {
        for (String group : shard.state.subscriptions.groupsOf(handle.session.id())) {
            handle.feeds.add(shard.requireFeed(group));
        }
    }
}
