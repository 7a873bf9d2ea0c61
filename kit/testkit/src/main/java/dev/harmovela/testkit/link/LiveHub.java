package dev.harmovela.testkit.link;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.Conformance;
import dev.harmovela.harness.HarmovelaHub;
import dev.harmovela.harness.HubConfig;
import dev.harmovela.spi.Answer;
import dev.harmovela.spi.Ask;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.FrameKeys;
import dev.harmovela.store.journal.JournalOptions;
import dev.harmovela.store.journal.SegmentJournal;
import dev.harmovela.store.memory.MemoryJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A hub in real time on a thread of its own and a journal on disk, for what only real servers show. */
public final class LiveHub implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 20;
    private static final int SEGMENT = 4 << 20;

    private final ScheduledThreadPoolExecutor owner = new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name("live-hub").daemon().unstarted(task));
    private final ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
    private final HarmovelaHub hub;
    private volatile @Nullable HarmovelaHub ticking;
    private volatile boolean dead;

    private LiveHub(Path folder) {
        Executor owning = task -> {
            if (!dead) {
                owner.execute(task);
            }
        };
        HarmovelaHub.Setup setup = new HarmovelaHub.Setup(
                HubConfig.defaults(List.of("websocket")),
                owning,
                System::currentTimeMillis,
                this::alarm,
                readers,
                System::nanoTime,
                (keys, listener) ->
                        SegmentJournal.open(folder, JournalOptions.DEFAULT.withSegmentBytes(SEGMENT), keys, listener),
                listener -> new MemoryJournal("space", 1 << 20, FrameKeys.NONE, listener),
                null,
                Conformance.GRANTED);
        this.hub = await(started(setup));
        this.ticking = hub;
    }

    private CompletableFuture<HarmovelaHub> started(HarmovelaHub.Setup setup) {
        CompletableFuture<HarmovelaHub> started = new CompletableFuture<>();
        owner.execute(() -> {
            try {
                started.complete(HarmovelaHub.start(setup));
            } catch (IOException | RuntimeException failed) {
                started.completeExceptionally(failed);
            }
        });
        return started;
    }

    /** A hub on the journal of a folder. */
    public static LiveHub on(Path folder) {
        return new LiveHub(folder);
    }

    private void alarm(long epochMillis) {
        if (epochMillis != Long.MAX_VALUE && !dead) {
            long wait = Math.max(0, epochMillis - System.currentTimeMillis());
            var _ = owner.schedule(this::ring, wait, TimeUnit.MILLISECONDS);
        }
    }

    private void ring() {
        HarmovelaHub target = ticking;
        if (target != null && !dead) {
            target.tick();
        }
    }

    /** The hub; call it on its executor only. */
    public HarmovelaHub hub() {
        return hub;
    }

    /** A question to it. */
    public Json.Obj ask(String scope, @Nullable String id) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        hub.executor()
                .execute(() -> hub.ask(Caller.open(), new Ask(scope, id, Json.Obj.of(), 1000, null), answer::complete));
        return await(answer) instanceof Answer.Found found ? found.body() : Json.Obj.of();
    }

    /** The items of a list. */
    public List<Json.Obj> list(String scope) {
        Json.Arr items = ask(scope, null).array("items");
        return items == null
                ? List.of()
                : items.items().stream().map(one -> (Json.Obj) one).toList();
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    @Override
    public void close() {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        owner.execute(() -> {
            try {
                hub.close();
                closed.complete(true);
            } catch (IOException | RuntimeException failed) {
                closed.completeExceptionally(failed);
            }
        });
        await(closed);
        dead = true;
        owner.shutdownNow();
        readers.shutdownNow();
    }
}
