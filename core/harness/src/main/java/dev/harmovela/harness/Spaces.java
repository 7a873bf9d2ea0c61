package dev.harmovela.harness;

import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.WireInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The throw-away shards of implied sessions: one per pipe, in-process exchange or conformance session (D24). */
final class Spaces {

    private final HarmovelaHub hub;
    private final HubConfig config;
    private final HarmovelaHub.SpaceJournals journals;
    private final int most;
    private final Set<Shard> open = new LinkedHashSet<>();
    private final Map<String, Shard> bySession = new HashMap<>();

    Spaces(HarmovelaHub hub, HubConfig config, HarmovelaHub.SpaceJournals journals) {
        this.hub = hub;
        this.most = config.bounds().maxConformanceSpaces();
        this.config = new HubConfig(
                config.registry(),
                config.limits(),
                config.offer(),
                config.retry(),
                config.tasks(),
                config.bounds().forSpace());
        this.journals = journals;
    }

    Set<Shard> all() {
        return open;
    }

    int count() {
        return open.size();
    }

    boolean hasRoom() {
        return open.size() < most;
    }

    Shard open() {
        Journal journal = journals.open(new JournalListener() {
            @Override
            public void durable(long lsn) {
                // released by the batch that committed it
            }

            @Override
            public void lost(Throwable cause) {
                throw new IllegalStateException("a log in memory cannot fail", cause);
            }
        });
        Shard space = new Shard(
                hub,
                Shard.Kind.IMPLIED,
                config,
                journal,
                new ShardState(config.tasks()),
                new Duplicates(config.bounds().duplicates(), 0));
        open.add(space);
        space.start();
        return space;
    }

    void named(Shard space, String sessionId) {
        bySession.put(sessionId, space);
    }

    @Nullable Shard of(String sessionId) {
        return bySession.get(sessionId);
    }

    /** A pipe or socket takes its space along; where requests come and go, the space ends with its sessions. */
    void wireGone(Shard space, Conn conn) {
        boolean lasting = conn.info.kind() == WireInfo.Kind.REQUEST
                || conn.info.transport().equals("sse");
        if (!lasting && space.conns().isEmpty()) {
            drop(space);
        }
    }

    private void drop(Shard space) {
        open.remove(space);
        bySession.values().removeIf(one -> one == space);
    }

    void dismiss() {
        open.forEach(Shard::dismiss);
    }

    void batchEnd() {
        for (Shard space : List.copyOf(open)) {
            space.batchEnd();
        }
    }

    long tick() {
        long next = Long.MAX_VALUE;
        for (Shard space : new ArrayList<>(open)) {
            next = Math.min(next, space.tick());
            if (space.conns().isEmpty() && space.handles.isEmpty()) {
                drop(space);
            }
        }
        return next;
    }

    long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (Shard space : open) {
            next = Math.min(next, space.nextDeadline());
        }
        return next;
    }
}
