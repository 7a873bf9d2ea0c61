package dev.harmovela.cli.proof;

import dev.harmovela.client.Backoff;
import dev.harmovela.client.ClientOptions;
import dev.harmovela.client.Delivery;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A publisher and a consumer over WebSocket, and what the hub promised to each. */
final class Exchanged implements AutoCloseable {

    private static final int IN_FLIGHT = 256;
    private static final int SHOWN = 5;

    static final Backoff IMPATIENT = new Backoff(20, 200);

    private final HarmovelaClient publisher;
    private final HarmovelaClient consumer;
    private final int events;
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> sequenceOf = new ConcurrentHashMap<>();
    private final Map<Long, String> idAt = new ConcurrentHashMap<>();
    private final Map<String, String> faults = new ConcurrentHashMap<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicLong highest = new AtomicLong();
    private final Semaphore allowed = new Semaphore(0);

    Exchanged(URI hub, int events) throws IOException {
        this.events = events;
        this.publisher = HarmovelaClient.connect(
                hub, ClientOptions.of("agent:publisher").withBackoff(IMPATIENT).withWindow(IN_FLIGHT));
        this.consumer =
                HarmovelaClient.connect(hub, ClientOptions.of("agent:consumer").withBackoff(IMPATIENT));
    }

    void begin() throws Exception {
        Json.Obj filter = Json.Obj.builder()
                .put("types", List.of("context.*"))
                .put("delivery_mode", "at_least_once")
                .build();
        consumer.subscribe(filter, this::take).get(30, TimeUnit.SECONDS);
        Thread.ofVirtual().name("publisher").start(this::publish);
    }

    /** Lets the publisher go on with so many events. */
    void allow(int more) {
        allowed.release(more);
    }

    private void publish() {
        for (int i = 1; i <= events; i++) {
            allowed.acquireUninterruptibly();
            String id = "event-" + i;
            Json.Obj event = Json.Obj.builder()
                    .put("type", "context.updated")
                    .put("id", id)
                    .put("payload", Json.Obj.builder().put("n", (long) i).build())
                    .build();
            var unused = publisher.send(event).whenComplete((answer, failure) -> {
                if (failure == null) {
                    acknowledged.add(id);
                } else {
                    faults.put("refused " + id, String.valueOf(failure));
                }
            });
        }
    }

    private void take(Delivery delivery) {
        String id = delivery.id();
        long sequence = delivery.sequence();
        Long earlier = sequenceOf.putIfAbsent(id, sequence);
        String other = idAt.putIfAbsent(sequence, id);
        if (earlier != null) {
            repeated.incrementAndGet();
        }
        if (earlier != null && earlier != sequence) {
            faults.put("twice " + id, id + " came under the sequences " + earlier + " and " + sequence);
        }
        if (other != null && !other.equals(id)) {
            faults.put("shared " + sequence, "sequence " + sequence + " carried " + other + " and " + id);
        }
        highest.accumulateAndGet(sequence, Math::max);
    }

    int acknowledged() {
        return acknowledged.size();
    }

    int received() {
        return sequenceOf.size();
    }

    int repeated() {
        return repeated.get();
    }

    long highestSequence() {
        return highest.get();
    }

    /** Promises that were broken. */
    List<String> broken() {
        List<String> broken = new ArrayList<>(faults.values());
        List<String> lost = acknowledged.stream()
                .filter(id -> !sequenceOf.containsKey(id))
                .sorted()
                .toList();
        if (!lost.isEmpty()) {
            broken.add(lost.size() + " acknowledged events never arrived: "
                    + lost.stream().limit(SHOWN).toList());
        }
        List<Long> gaps = new ArrayList<>();
        for (long sequence = 1; sequence <= highest.get(); sequence++) {
            if (!idAt.containsKey(sequence)) {
                gaps.add(sequence);
            }
        }
        if (!gaps.isEmpty()) {
            broken.add(gaps.size() + " sequences are missing: "
                    + gaps.stream().limit(SHOWN).toList());
        }
        return broken;
    }

    @Override
    public void close() {
        publisher.close();
        consumer.close();
    }
}
