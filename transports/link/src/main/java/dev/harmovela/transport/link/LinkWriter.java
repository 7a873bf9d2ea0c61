package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Writes what waits in the outbox, in order, and takes it out once the broker has confirmed it. What was not
 * confirmed when the
 * session ends is written again by the next one, with the same dedupe id.
 */
final class LinkWriter implements AutoCloseable {

    private static final int MOST = 256;
    private static final long WAIT_MILLIS = 500;
    private static final long CONFIRM_MILLIS = 10_000;
    private static final long STOP_MILLIS = 2_000;

    private final Outbox outbox;
    private final BrokerSession session;
    private final LinkFigures figures;
    private final Executor owner;
    private final Thread reader;
    private final Thread thread =
            Thread.ofPlatform().name("harmovela-link-writer").daemon().unstarted(this::run);
    private volatile boolean stopping;
    private volatile @Nullable LinkFailed failure;

    LinkWriter(Outbox outbox, BrokerSession session, LinkFigures figures, Executor owner, Thread reader) {
        this.outbox = outbox;
        this.session = session;
        this.figures = figures;
        this.owner = owner;
        this.reader = reader;
    }

    void start() {
        thread.start();
    }

    /** Fails when writing failed. */
    void check() throws LinkFailed {
        LinkFailed failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void run() {
        try {
            while (!stopping || outbox.size() > 0) {
                List<Outbox.Item> some = outbox.peek(MOST, WAIT_MILLIS);
                if (!some.isEmpty()) {
                    write(some);
                }
            }
        } catch (InterruptedException stopped) {
            // what is left stays for the next session
        } catch (LinkFailed failed) {
            end(failed);
        } catch (RuntimeException failed) {
            end(LinkFailed.because("writing failed", failed));
        }
    }

    private void end(LinkFailed failed) {
        failure = failed;
        if (!stopping) {
            reader.interrupt();
        }
    }

    private void write(List<Outbox.Item> some) throws LinkFailed, InterruptedException {
        List<Json.Obj> events = new ArrayList<>();
        List<Outbound> messages = new ArrayList<>();
        for (Outbox.Item item : some) {
            Json.Obj event = Envelope.parse(item.body());
            Json.Obj read = event == null ? Json.Obj.of() : event;
            events.add(read);
            messages.add(item.wire().address(item, read));
        }
        List<CompletableFuture<Void>> written = session.write(messages);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONFIRM_MILLIS);
        Map<Outbox.Sender, List<Json.Obj>> confirmed = new LinkedHashMap<>();
        int done = 0;
        try {
            for (; done < some.size(); done++) {
                await(some.get(done), events.get(done), written.get(done), end, confirmed);
            }
        } finally {
            finished(done, confirmed);
        }
    }

    private void await(
            Outbox.Item item,
            Json.Obj event,
            CompletableFuture<Void> written,
            long end,
            Map<Outbox.Sender, List<Json.Obj>> confirmed)
            throws LinkFailed, InterruptedException {
        try {
            written.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            figures.written.increment();
            confirmed.computeIfAbsent(item.wire(), _ -> new ArrayList<>()).add(event);
        } catch (TimeoutException late) {
            throw new LinkFailed("the broker did not confirm within " + CONFIRM_MILLIS + " ms", late);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof WriteRefused refused) {
                owner.execute(() -> item.wire().refused(event, refused));
            } else {
                throw LinkFailed.because("the broker did not take an event", failed);
            }
        }
    }

    private void finished(int done, Map<Outbox.Sender, List<Json.Obj>> confirmed) {
        List<Outbox.Sender> senders = new ArrayList<>(confirmed.keySet());
        boolean room = outbox.done(done);
        owner.execute(() -> {
            confirmed.forEach(Outbox.Sender::confirmed);
            if (room) {
                senders.forEach(Outbox.Sender::roomAgain);
            }
        });
    }

    @Override
    public void close() {
        stopping = true;
        long begun = System.nanoTime();
        boolean interrupted = Thread.interrupted();
        try {
            boolean ended = failure != null;
            thread.join(ended ? 1 : STOP_MILLIS);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(STOP_MILLIS);
            }
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted && System.nanoTime() > begun) {
            Thread.currentThread().interrupt();
        }
    }
}
