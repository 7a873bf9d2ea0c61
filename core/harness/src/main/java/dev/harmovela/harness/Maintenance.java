package dev.harmovela.harness;

import dev.harmovela.spi.TaskArchive;
import org.jspecify.annotations.Nullable;

/** What runs beside the traffic: snapshots, retention, the search store. Nothing here is waited for by an input. */
final class Maintenance {

    private static final long LOOK_MILLIS = 2_000;

    private final Shard shard;
    private final Snapshots snapshots;
    private final Retaining retaining;
    private final @Nullable Archiving archiving;
    private boolean retired;

    Maintenance(Shard shard, @Nullable TaskArchive archive) {
        this.shard = shard;
        this.snapshots = new Snapshots(shard);
        this.retaining = new Retaining(shard, snapshots);
        this.archiving = archive == null ? null : new Archiving(shard, archive);
    }

    void start() {
        if (archiving != null) {
            shard.onEnded(archiving::ended);
            shard.questions.tasks().search(archiving);
            archiving.work();
        }
        retaining.delete();
        look();
    }

    private void look() {
        if (retired) {
            return;
        }
        shard.marks.pass(shard.now());
        retaining.enforceLag();
        snapshots.maybeTake(retaining::trim);
        if (archiving != null) {
            archiving.work();
        }
        shard.timers.at(shard.now() + LOOK_MILLIS, this::look);
    }

    /** A snapshot without waiting until it is due. */
    void snapshotNow() {
        snapshots.takeUnlessRunning(retaining::trim);
    }

    /** The shard was replaced or ends: what is under way ends without effect; a later start goes on with it. */
    void retire() {
        retired = true;
        if (archiving != null) {
            archiving.stop();
        }
    }
}
