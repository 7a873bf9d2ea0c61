package dev.harmovela.harness;

import dev.harmovela.dimension.Surroundings;
import dev.harmovela.dimension.event.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What dimensions may look up in their shard. */
final class Around implements Surroundings {

    private final Shard shard;

    Around(Shard shard) {
        this.shard = shard;
    }

    @Override
    public boolean attached(String tenant, String identity) {
        return shard.presences.attached(tenant, identity)
                || members(tenant, identity).stream().anyMatch(one -> shard.presences.attached(tenant, one));
    }

    @Override
    public long lastSeen(String tenant, String identity) {
        return Math.max(
                shard.presences.lastSeen(tenant, identity),
                members(tenant, identity).stream()
                        .mapToLong(one -> shard.presences.lastSeen(tenant, one))
                        .max()
                        .orElse(0));
    }

    @Override
    public boolean knows(String tenant, String identity) {
        return shard.state.sessions.countOf(tenant, identity) > 0
                || shard.state.subscriptions.find(Subscription.inboxId(tenant, identity)) != null;
    }

    @Override
    public boolean holds(String tenant, String identity, String right) {
        return shard.kind == Shard.Kind.IMPLIED
                || shard.hub.callers().known().holds(tenant, identity, right, shard.now());
    }

    @Override
    public List<String> members(String tenant, String pool) {
        return shard.presences.members(tenant, pool);
    }

    @Override
    public String secret() {
        return shard.hub.secret();
    }

    @Override
    public boolean taskExists(String tenant, String taskId) {
        return shard.state.tasks.exists(tenant, taskId);
    }

    @Override
    public boolean taskLives(String tenant, String taskId) {
        return taskExists(tenant, taskId) && !shard.state.tasks.isEnded(tenant, taskId);
    }

    @Override
    public @Nullable String taskOwner(String tenant, String taskId) {
        return shard.state.tasks.owner(tenant, taskId);
    }

    @Override
    public @Nullable String taskSubmitter(String tenant, String taskId) {
        return shard.state.tasks.submitter(tenant, taskId);
    }

    @Override
    public @Nullable String standIn(String tenant, String taskId, String identity) {
        return shard.state.dimensions.delegations.standIn(tenant, taskId, identity);
    }

    @Override
    public @Nullable String taskParent(String tenant, String taskId) {
        return shard.state.tasks.parent(tenant, taskId);
    }
}
