package dev.harmovela.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** One contender with its connections: a publisher and consumers that each receive everything. */
final class Rig implements AutoCloseable {

    private static final Duration SETUP = Duration.ofSeconds(20);
    private static final Duration DRAIN = Duration.ofSeconds(60);
    private static final long LONGEST_MICROS = 60_000_000;

    private final ServerProcess server;
    private final Loop loop = new Loop();
    private final Publisher publisher;
    private final List<Consumer> consumers = new ArrayList<>();
    private long published;

    Rig(Contender contender, int consumerCount, Tools tools) {
        this(contender.start(tools), contender, consumerCount);
    }

    /** Takes over a server that runs already; it is stopped with the rig. */
    Rig(ServerProcess server, Contender contender, int consumerCount) {
        this.server = server;
        try {
            publisher = contender.publisher(loop, server.port());
            loop.until(publisher::ready, SETUP, "attaching the publisher to " + contender.title());
            for (int i = 0; i < consumerCount; i++) {
                Consumer consumer = contender.consumer(loop, server.port(), i);
                consumers.add(consumer);
                loop.until(consumer::ready, SETUP, "attaching a consumer to " + contender.title());
            }
        } catch (BenchFailed failed) {
            close();
            throw failed;
        }
    }

    /**
     * Publishes for {@code time} with {@code window} events not yet done, then waits until everything is done and every
     * acknowledgement has been handled. Done is an event that the publisher knows to be stored and every consumer
     * has received
     * and acknowledged.
     */
    Run run(int window, Duration time) {
        return run(window, time, Long.MAX_VALUE - published);
    }

    /** The same with at most {@code most} events. */
    Run run(int window, Duration time, long most) {
        Flight flight = new Flight(window, System.nanoTime() + time.toNanos(), published + most);
        double cpu = server.cpuMicros();
        long begin = System.nanoTime();
        loop.until(flight::over, flight::step, time.plus(DRAIN), "a run");
        consumers.forEach(Consumer::fence);
        loop.until(() -> consumers.stream().allMatch(Consumer::fenced), DRAIN, "the last acknowledgements");
        double seconds = (System.nanoTime() - begin) / 1e9;
        long events = published - flight.first;
        return new Run(
                events,
                events / seconds,
                (server.cpuMicros() - cpu) / Math.max(1, events),
                server.peakMegabytes(),
                flight.latencies.getValueAtPercentile(50),
                flight.latencies.getValueAtPercentile(99));
    }

    /** What is under way between publisher and consumers. */
    private final class Flight {
        private final int window;
        private final long end;
        private final long first = published;
        private final long last;
        private final long[] startedAt;
        private final Histogram latencies = new Histogram(LONGEST_MICROS, 3);
        private long done = published;

        Flight(int window, long end, long last) {
            this.window = window;
            this.end = end;
            this.last = last;
            this.startedAt = new long[Integer.highestOneBit(window) * 2];
        }

        void step() {
            long now = System.nanoTime();
            long least = publisher.acknowledged();
            for (int i = 0; i < consumers.size(); i++) {
                least = Math.min(least, consumers.get(i).received());
            }
            while (done < least) {
                done++;
                latencies.recordValue(Math.min(LONGEST_MICROS, (now - startedAt[slot(done)]) / 1000));
            }
            while (published - done < window && now < end && published < last) {
                published++;
                startedAt[slot(published)] = now;
                publisher.publish(published);
            }
        }

        private int slot(long n) {
            return (int) (n & startedAt.length - 1);
        }

        boolean over() {
            return done == published && (published == last || System.nanoTime() >= end);
        }
    }

    ServerProcess server() {
        return server;
    }

    /** Subscribes a consumer of the hub and cuts its connection: from now on everything waits for it. */
    HubConsumer loseConsumer() {
        HubConsumer consumer = new HubConsumer(loop, server.port(), "agent:absent", "latest");
        loop.until(consumer::ready, SETUP, "attaching a consumer");
        loop.drop(consumer);
        return consumer;
    }

    /** Brings a lost consumer back; events per second until it has received and acknowledged everything. */
    double replay(HubConsumer lost, Duration limit) {
        long first = lost.received();
        long begin = System.nanoTime();
        HubConsumer back = new HubConsumer(loop, server.port(), lost);
        loop.until(() -> back.received() == published, limit, "a replay");
        back.fence();
        loop.until(back::fenced, DRAIN, "the last acknowledgements");
        return (published - first) * 1e9 / (System.nanoTime() - begin);
    }

    @Override
    public void close() {
        loop.close();
        server.close();
    }
}
