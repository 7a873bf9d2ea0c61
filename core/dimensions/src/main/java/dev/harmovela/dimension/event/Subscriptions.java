package dev.harmovela.dimension.event;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All subscriptions, by id and by holder. One owner, not thread-safe. */
public final class Subscriptions {

    private final LinkedHashMap<String, Subscription> byId = new LinkedHashMap<>();
    private final Map<String, LinkedHashSet<String>> byOwner = new HashMap<>();
    private final TreeMap<String, LinkedHashSet<String>> members = new TreeMap<>();
    private final Map<String, Integer> perTenant = new HashMap<>();

    public @Nullable Subscription find(String id) {
        return byId.get(id);
    }

    /** In the order of creation; a read-only view. */
    public Collection<Subscription> all() {
        return Collections.unmodifiableCollection(byId.values());
    }

    /** Those held by a session, or by an identity for inboxes and the HTTP API. */
    public List<Subscription> of(Subscription.Kind kind, String tenant, String owner) {
        LinkedHashSet<String> ids = byOwner.get(ownerKey(kind, tenant, owner));
        return ids == null
                ? List.of()
                : ids.stream().map(byId::get).filter(java.util.Objects::nonNull).toList();
    }

    /** How many a tenant has. */
    public int countOf(String tenant) {
        return perTenant.getOrDefault(tenant, 0);
    }

    public int count() {
        return byId.size();
    }

    /** Sessions that share a group, in the order in which they joined. */
    public List<String> members(String groupId) {
        LinkedHashSet<String> sessions = members.get(groupId);
        return sessions == null ? List.of() : List.copyOf(sessions);
    }

    /** Groups a session has joined. */
    public List<String> groupsOf(String sessionId) {
        return members.entrySet().stream()
                .filter(entry -> entry.getValue().contains(sessionId))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The only place where subscriptions move. */
    public void apply(SubscriptionFact fact) {
        switch (fact) {
            case SubscriptionFact.Created created -> add(created.subscription());
            case SubscriptionFact.Removed removed -> remove(removed.subscriptionId());
            case SubscriptionFact.Joined joined ->
                members.computeIfAbsent(joined.subscriptionId(), _ -> new LinkedHashSet<>())
                        .add(joined.sessionId());
            case SubscriptionFact.Left left ->
                members.computeIfPresent(left.subscriptionId(), (_, sessions) -> {
                    sessions.remove(left.sessionId());
                    return sessions.isEmpty() ? null : sessions;
                });
            case SubscriptionFact.Adopted adopted -> {
                Subscription before = remove(adopted.subscriptionId());
                if (before != null) {
                    add(before.ownedBy(adopted.sessionId()));
                }
            }
        }
    }

    private void add(Subscription subscription) {
        byId.put(subscription.id(), subscription);
        perTenant.merge(subscription.tenant(), 1, Integer::sum);
        byOwner.computeIfAbsent(key(subscription), _ -> new LinkedHashSet<>()).add(subscription.id());
    }

    private @Nullable Subscription remove(String id) {
        Subscription gone = byId.remove(id);
        members.remove(id);
        if (gone != null) {
            perTenant.computeIfPresent(gone.tenant(), (_, n) -> n == 1 ? null : n - 1);
            byOwner.computeIfPresent(key(gone), (_, ids) -> {
                ids.remove(id);
                return ids.isEmpty() ? null : ids;
            });
        }
        return gone;
    }

    /** Writes the section of a snapshot; equal states write equal bytes. */
    public void snapshot(Out out) {
        out.varint(byId.size());
        byId.values().forEach(subscription -> subscription.write(out));
        out.varint(members.size());
        members.forEach((group, sessions) -> {
            out.string(group).varint(sessions.size());
            sessions.forEach(out::string);
        });
    }

    public void restore(In in) {
        byId.clear();
        byOwner.clear();
        perTenant.clear();
        for (long n = in.varint(); n > 0; n--) {
            add(Subscription.read(in));
        }
        members.clear();
        for (long n = in.varint(); n > 0; n--) {
            String group = in.string();
            for (long m = in.varint(); m > 0; m--) {
                apply(new SubscriptionFact.Joined(group, in.string()));
            }
        }
    }

    private static String key(Subscription subscription) {
        return ownerKey(subscription.kind(), subscription.tenant(), subscription.owner());
    }

    private static String ownerKey(Subscription.Kind kind, String tenant, String owner) {
        return kind.name() + '\n' + tenant + '\n' + owner;
    }
}
