package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import dev.harmovela.contract.json.JsonException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the lines of one fixture and collects what comes back.
 *
 * <p>Lines go out one behind the other without waiting, unless one of them must lead to something before the next; once
 * something failed to come, later waits are short. A heartbeat closes the fixture: its answer comes after those to all
 * lines (D26).
 */
final class Conversation {

    private static final String SELF = "agent:conformance";

    private final Exchange exchange;
    private final List<SentLine> lines;
    private final Patience patience;
    private final List<Received> received = new ArrayList<>();
    private final List<Json.Obj> own = new ArrayList<>();
    private final List<String> ownIds = new ArrayList<>();
    private final List<String> noise = new ArrayList<>();

    Conversation(Exchange exchange, List<SentLine> lines, Patience patience) {
        this.exchange = exchange;
        this.lines = lines;
        this.patience = patience;
    }

    /**
     * Sends everything and waits for the closing answer.
     *
     * @param expectations what is demanded of lines, by number
     */
    void run(Map<Integer, LineExpectation> expectations) throws IOException, InterruptedException {
        long effectMillis = patience.effectMillis();
        for (int i = 0; i < lines.size(); i++) {
            exchange.send(lines.get(i).text());
            LineExpectation expectation = expectations.get(i + 1);
            if (expectation != null && expectation.waits()) {
                int index = i;
                boolean came = pump(effectMillis, () -> effectsOf(index, expectation));
                effectMillis = came ? effectMillis : Math.min(effectMillis, patience.settleMillis());
            }
        }
        String fence = sendOwn("session.heartbeat", null, Json.Obj.of());
        if (!pump(patience.answerMillis(), () -> answered(fence))) {
            throw new IOException(
                    "the closing heartbeat was not answered within " + patience.answerMillis() + " ms" + said());
        }
        pump(patience.settleMillis(), this::complete);
    }

    /** Everything received so far that was not for the runner itself. */
    List<Received> received() {
        return received;
    }

    List<SentLine> lines() {
        return lines;
    }

    Attribution attribution() {
        return Attribution.of(lines, received);
    }

    /** What the target says beside its events, for a reason to fail; empty when it said nothing. */
    String said() {
        return noise.isEmpty() ? "" : "; it said: " + noise.getLast();
    }

    /**
     * Asks the hub itself (D28).
     *
     * @return the payload of its {@code query.response}, or null when it refuses or says nothing in time
     */
    Json.@Nullable Obj ask(String scope, Json.Obj filter) throws IOException, InterruptedException {
        Json.Obj payload = Json.Obj.builder()
                .put("query_scope", scope)
                .put("filter", filter.isEmpty() ? null : filter)
                .build();
        String id = sendOwn("query.requested", "harness:harmovela", payload);
        pump(patience.effectMillis(), () -> response(id) != null || refused(id));
        Json.Obj response = response(id);
        return response == null ? null : response.object("payload");
    }

    private boolean effectsOf(int index, LineExpectation expectation) {
        Attribution.Effects effects = attribution().effects(index);
        List<Json.Obj> emits = expectation.emits();
        Long deliveries = expectation.deliveries();
        return (emits == null || effects.emitted().size() >= emits.size())
                && (deliveries == null || effects.subscribedCopies() >= deliveries)
                && missing(expectation.receives()).isEmpty();
    }

    /** The wanted events that have not come, each received event serving one of them. */
    List<Json.Obj> missing(List<Json.Obj> wanted) {
        List<Json.Obj> free = new ArrayList<>();
        received.forEach(one -> free.add(one.event()));
        List<Json.Obj> missing = new ArrayList<>();
        for (Json.Obj one : wanted) {
            int found = -1;
            for (int i = 0; i < free.size() && found < 0; i++) {
                found = Wire.matches(one, free.get(i)) ? i : -1;
            }
            if (found < 0) {
                missing.add(one);
            } else {
                free.remove(found);
            }
        }
        return missing;
    }

    private boolean complete() {
        Attribution sorted = attribution();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).answered() && sorted.effects(i).direct().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private String sendOwn(String type, @Nullable String target, Json.Obj payload) throws IOException {
        String id = "evt_conformance_" + UUID.randomUUID();
        ownIds.add(id);
        exchange.send(Json.Obj.builder()
                .put("spec_version", "0.2")
                .put("id", id)
                .put("type", type)
                .put("source", SELF)
                .put("target", target)
                .put("session_id", exchange.sessionId())
                .put("correlation_id", target == null ? null : id)
                .put("created_at", Instant.now().toString())
                .put("payload", payload)
                .build()
                .toString());
        return id;
    }

    private boolean answered(String id) {
        return own.stream().anyMatch(event -> id.equals(event.string("causation_id")));
    }

    private boolean refused(String id) {
        return own.stream()
                .anyMatch(event -> id.equals(event.string("causation_id"))
                        && (Wire.refusal(event) || Wire.type(event).equals("query.error")));
    }

    private Json.@Nullable Obj response(String id) {
        return own.stream()
                .filter(event -> Wire.type(event).equals("query.response") && id.equals(event.string("correlation_id")))
                .findFirst()
                .orElse(null);
    }

    /** Receives until the condition holds; false when that took too long. */
    private boolean pump(long millis, BooleanSupplier until) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!until.getAsBoolean()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            Incoming incoming = exchange.receive(Math.max(0, left));
            if (incoming != null) {
                take(incoming);
            } else if (left <= 0) {
                return false;
            }
        }
        return true;
    }

    private void take(Incoming incoming) throws IOException {
        boolean beside = incoming.channel() == Incoming.Channel.DIAGNOSTICS;
        try {
            if (Json.parse(incoming.text()) instanceof Json.Obj event
                    && (!beside || Wire.type(event).endsWith(".rejected"))) {
                boolean mine = ownIds.contains(event.string("causation_id"))
                        || ownIds.contains(event.string("correlation_id"))
                        || ownIds.contains(event.string("id"));
                if (mine) {
                    own.add(event);
                } else {
                    received.add(new Received(event, incoming.channel()));
                }
                return;
            }
        } catch (JsonException e) {
            if (!beside) {
                throw new IOException("the target sent a line that is no sound JSON: " + e.reason());
            }
        }
        if (!beside) {
            throw new IOException("the target sent a line that is no event: " + incoming.text());
        }
        noise.add(incoming.text());
    }
}
