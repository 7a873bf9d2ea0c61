package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.WireInfo;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One link at work: connects, reads on one thread, writes on another, and builds everything anew when the broker
 * was away,
 * frozen or lost its consumer. What is in hand then comes again: inbound by the broker, outbound from the outbox.
 */
final class LinkRunner implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.link");
    private static final int MOST_READ = 256;
    private static final long READ_MILLIS = 500;
    private static final long LAG_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long STEP_MILLIS = 100;
    private static final long LEAST_PAUSE = 50;
    private static final long MOST_PAUSE = 5_000;
    private static final long VERDICT_MILLIS = 30_000;
    private static final long STOP_MILLIS = 5_000;

    private final LinkSettings settings;
    private final Driver driver;
    private final LinkHost host;
    private final LinkFigures figures = new LinkFigures();
    private final Outbox outbox = new Outbox();
    private final Context context = new Context();
    private final Peers peers;
    private final Intake intake;
    private final Thread thread;
    private volatile boolean stopping;
    private long laggedAt = System.nanoTime() - LAG_NANOS;
    private @Nullable ExportWire export;

    LinkRunner(LinkSettings settings, Driver driver, LinkHost host) {
        this.settings = settings;
        this.driver = driver;
        this.host = host;
        this.peers = new Peers(context, Long.toString(System.currentTimeMillis(), 36));
        this.intake = new Intake(context, peers);
        this.thread = Thread.ofPlatform()
                .name("harmovela-link-" + settings.name())
                .daemon()
                .unstarted(this::run);
    }

    LinkSettings settings() {
        return settings;
    }

    LinkFigures figures() {
        return figures;
    }

    void start() {
        thread.start();
    }

    /** Stops reading, waits for what is being written, leaves the sessions resumable. */
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join(STOP_MILLIS);
            thread.interrupt();
            thread.join(STOP_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        figures.state(LinkFigures.State.STOPPED);
    }

    /** Whether its thread has ended. */
    boolean isStopped() {
        return !thread.isAlive();
    }

    // --- connecting

    private void run() {
        long pause = LEAST_PAUSE;
        while (!stopping) {
            long begun = System.nanoTime();
            try (BrokerSession session = driver.connect(settings, host.identity())) {
                figures.state(LinkFigures.State.UP);
                LOGGER.log(Level.INFO, "link {0}: connected to {1}", settings.name(), settings.url());
                serve(session);
            } catch (LinkFailed failed) {
                down(String.valueOf(failed.getMessage()));
            } catch (InterruptedException interrupted) {
                // asked to stop, or the writing thread has seen the end of the session
            } catch (RuntimeException failed) {
                down("failed: " + failed);
            }
            owner(() -> outbox.hold(true));
            boolean lasted = System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(MOST_PAUSE);
            pause = lasted ? LEAST_PAUSE : Math.min(pause * 2, MOST_PAUSE);
            rest(pause);
        }
        owner(this::leave);
    }

    private void leave() {
        peers.detachAll();
        intake.close();
        if (export != null) {
            export.detach();
        }
    }

    private void down(String why) {
        if (!stopping) {
            figures.state(LinkFigures.State.DOWN);
            figures.rebuilt.increment();
            context.failed(why);
        }
    }

    /** Waits with the clocks of peers stopped, for a time left to chance. */
    private void rest(long pause) {
        long end = System.currentTimeMillis()
                + pause / 2
                + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        owner(() -> peers.stopClocks(System.currentTimeMillis()));
        while (!stopping) {
            long left = end - System.currentTimeMillis();
            if (left <= 0) {
                return;
            }
            try {
                Thread.sleep(Math.min(left, STEP_MILLIS));
            } catch (InterruptedException interrupted) {
                return;
            }
            figures.rate();
        }
    }

    private void owner(Runnable task) {
        host.hub().executor().execute(task);
    }

    // --- at work

    private void serve(BrokerSession session) throws LinkFailed, InterruptedException {
        LinkWriter writer = new LinkWriter(outbox, session, figures, host.hub().executor(), Thread.currentThread());
        writer.start();
        owner(() -> {
            begin();
            if (outbox.hold(false)) {
                roomAgain();
            }
        });
        try {
            while (!stopping) {
                writer.check();
                List<Inbound> some = List.of();
                if (settings.mode().reads()) {
                    some = session.read(MOST_READ, READ_MILLIS);
                } else {
                    session.idle(READ_MILLIS);
                }
                if (!some.isEmpty()) {
                    handOver(session, some);
                }
                look(session);
            }
        } catch (InterruptedException interrupted) {
            writer.check();
            throw interrupted;
        } finally {
            writer.close();
        }
    }

    private void begin() {
        if (settings.mode() == LinkMode.EXPORT && (export == null || export.isClosed())) {
            String identity = "agent:link-" + settings.name();
            ExportWire wire = new ExportWire(context, "link-" + settings.name(), identity);
            WireInfo info = new WireInfo(settings.kind().wire(), host.caller(settings, identity), WireInfo.Kind.DUPLEX);
            wire.connected(host.hub().connect(wire, info));
            export = wire;
            wire.begin();
        }
    }

    private void roomAgain() {
        peers.roomAgain();
        if (export != null) {
            export.roomAgain();
        }
    }

    private void look(BrokerSession session) throws LinkFailed, InterruptedException {
        figures.rate();
        figures.waiting(outbox.size());
        long now = System.nanoTime();
        if (now - laggedAt > LAG_NANOS) {
            laggedAt = now;
            figures.lag(session.lag());
            owner(() -> {
                peers.detachSilent(System.currentTimeMillis());
                if (export != null && export.isClosed()) {
                    begin();
                }
            });
        }
    }

    /** Settles a batch once the hub has forced it; what has to wait stops the link there. */
    private void handOver(BrokerSession session, List<Inbound> read) throws LinkFailed, InterruptedException {
        List<Inbound> losable = read.stream().filter(Inbound::isBestEffort).toList();
        if (!losable.isEmpty()) {
            session.settle(losable);
        }
        List<Inbound> left = read;
        long pause = LEAST_PAUSE;
        while (!left.isEmpty() && !stopping) {
            List<Inbound> again = verdict(session, left);
            List<Inbound> done = new ArrayList<>(left);
            done.removeAll(again);
            done.removeAll(losable);
            if (!done.isEmpty()) {
                session.settle(done);
            }
            left = new ArrayList<>(again);
            left.removeAll(losable);
            if (!left.isEmpty()) {
                figures.paused.increment();
                session.idle(pause);
                pause = Math.min(pause * 2, MOST_PAUSE);
            }
        }
    }

    /** What has to come again, after everything else is durable. */
    private List<Inbound> verdict(BrokerSession session, List<Inbound> some) throws LinkFailed, InterruptedException {
        Batch batch = new Batch(some);
        owner(() -> intake.take(batch));
        long end = System.currentTimeMillis() + VERDICT_MILLIS;
        while (true) {
            try {
                return batch.again.get(READ_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                session.idle(0);
                if (System.currentTimeMillis() > end) {
                    throw new LinkFailed("the hub did not answer within " + VERDICT_MILLIS + " ms", late);
                }
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private final class Context implements LinkContext {

        @Override
        public LinkSettings settings() {
            return settings;
        }

        @Override
        public LinkHost host() {
            return host;
        }

        @Override
        public Outbox outbox() {
            return outbox;
        }

        @Override
        public LinkFigures figures() {
            return figures;
        }

        @Override
        public void failed(String why) {
            if (!why.equals(figures.lastError())) {
                LOGGER.log(Level.WARNING, "link {0}: {1}", settings.name(), why);
            }
            figures.failed(why, System.currentTimeMillis());
        }

        @Override
        public boolean isSettledBy(LinkWire wire, Json.Obj answer, String type) {
            return intake.isSettledBy(wire, answer, type);
        }

        @Override
        public @Nullable String replyTo(@Nullable String eventId) {
            return intake.replyTo(eventId);
        }

        @Override
        public void gone(LinkWire wire) {
            peers.gone(wire);
        }
    }
}
