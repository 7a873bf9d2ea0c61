package dev.harmovela.runtime;

import dev.harmovela.harness.Conformance;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.spi.Journal;
import dev.harmovela.spi.JournalListener;
import dev.harmovela.spi.TaskArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A hub without a port, on a thread of its own. */
final class SmallHub implements AutoCloseable {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final OneThread owner = new OneThread();
    private final Readers readers = new Readers();
    private final HarmovelaHub hub;
    private final @Nullable TaskArchive archive;

    SmallHub(DaemonConfig config, List<String> transports) throws IOException {
        SearchIfWhole search = Stores.search(config.data());
        this.archive = search;
        HarmovelaHub.Setup setup = new HarmovelaHub.Setup(
                HubSettings.hub(config, transports),
                owner,
                new WallClock(),
                owner::at,
                readers,
                new SecureRandom()::nextLong,
                Stores.journal(config, search),
                Stores.spaces(),
                archive,
                Conformance.GRANTED);
        try {
            this.hub = Owner.call(owner, () -> {
                HarmovelaHub opened = HarmovelaHub.start(setup);
                owner.hub = opened;
                return opened;
            });
        } catch (IOException failure) {
            owner.stop();
            readers.stop();
            if (archive != null) {
                archive.close();
            }
            throw failure;
        }
    }

    /** A hub whose search is empty when it starts. The old one is deleted only after the journal could be locked. */
    static SmallHub withFreshSearch(DaemonConfig config) throws IOException {
        HarmovelaHub.JournalFactory factory = Stores.journal(config, null);
        Path data = config.data();
        Journal lock = factory.open(FrameKeys.NONE, new Deaf());
        try {
            if (data != null) {
                for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
                    Files.deleteIfExists(data.resolve(Stores.SEARCH + suffix));
                }
            }
        } finally {
            lock.close();
        }
        return new SmallHub(config, List.of());
    }

    private static final class Deaf implements JournalListener {
        @Override
        public void durable(long lsn) {
            // nothing is appended
        }

        @Override
        public void lost(Throwable cause) {
            // the next opening tells
        }
    }

    HarmovelaHub hub() {
        return hub;
    }

    @Nullable TaskArchive archive() {
        return archive;
    }

    /** Waits until the hub has nothing left to read or to write behind. */
    void settle() throws IOException {
        int quiet = 0;
        while (quiet < 2) {
            Owner.call(owner, () -> hub);
            quiet = readers.active.get() == 0 ? quiet + 1 : 0;
            if (quiet == 0) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Owner.call(owner, () -> {
                hub.close();
                return hub;
            });
        } finally {
            owner.stop();
            readers.stop();
            if (archive != null) {
                archive.close();
            }
        }
    }

    /** Runs what blocks, and counts it. */
    private static final class Readers implements Executor {

        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final AtomicInteger active = new AtomicInteger();

        @Override
        public void execute(Runnable task) {
            active.incrementAndGet();
            threads.execute(() -> {
                try {
                    task.run();
                } finally {
                    active.decrementAndGet();
                }
            });
        }

        void stop() {
            threads.shutdownNow();
        }
    }

    /** The owner: one thread that also rings the alarm. */
    private static final class OneThread implements Executor {

        private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(
                1, task -> Thread.ofPlatform().name("harmovela-hub").daemon().unstarted(task));
        private volatile @Nullable HarmovelaHub hub;
        private @Nullable ScheduledFuture<?> alarm;

        @Override
        public void execute(Runnable task) {
            threads.execute(task);
        }

        void at(long epochMillis) {
            if (alarm != null) {
                alarm.cancel(false);
                alarm = null;
            }
            if (epochMillis != Long.MAX_VALUE) {
                long wait = Math.max(0, epochMillis - SteadyClock.SYSTEM.getAsLong());
                alarm = threads.schedule(this::ring, wait, TimeUnit.MILLISECONDS);
            }
        }

        private void ring() {
            HarmovelaHub target = hub;
            if (target != null) {
                target.tick();
            }
        }

        void stop() {
            threads.shutdownNow();
        }
    }
}
