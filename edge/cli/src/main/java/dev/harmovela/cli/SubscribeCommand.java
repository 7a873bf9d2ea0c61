package dev.harmovela.cli;

import dev.harmovela.client.Delivery;
import dev.harmovela.client.DeliveryHandler;
import dev.harmovela.client.HarmovelaClient;
import dev.harmovela.client.HubRefused;
import dev.harmovela.client.Subscription;
import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.runtime.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows events as they come. */
@Command(
        name = "subscribe",
        description = {
            "Show events as they come, and acknowledge or refuse them.",
            "After a lost connection or a restart of the hub it goes on where it was. With --json: a raw event a line."
        },
        footer = {
            "",
            "Examples: harmovela sub 'task.*'",
            "          harmovela sub 'task.*' --from earliest --count 10 --json | jq .type",
            "          harmovela sub 'task.*' --reject busy    (watch retries with: harmovela deliveries ls)"
        })
final class SubscribeCommand extends HubCommand {

    private static final long ANSWER_SECONDS = 30;

    /** What becomes of an event that was shown: one or the other. */
    static final class Settling {

        @Option(
                names = "--ack",
                negatable = true,
                defaultValue = "true",
                fallbackValue = "true",
                description = "acknowledge what was shown (default); --no-ack leaves it")
        private boolean ack = true;

        @Option(
                names = "--reject",
                paramLabel = "CODE",
                description = "refuse it, as a worker that fails: busy is tried again, invalid_payload is not")
        private @Nullable String reject;

        void requireKnownCode() throws Failure {
            if (reject != null && !ErrorCode.isKnown(reject)) {
                List<String> codes =
                        Arrays.stream(ErrorCode.values()).map(ErrorCode::wire).toList();
                String near = Nearest.to(reject, codes);
                throw Failure.usage(
                        "There is no error code " + reject + ".",
                        near == null ? "There are " + String.join(", ", codes) + "." : "Did you mean " + near + "?");
            }
        }

        void settle(Delivery delivery) {
            if (reject != null) {
                delivery.reject(ProtocolError.of(ErrorCode.ofWire(reject), "refused by harmovela sub --reject"));
            } else if (ack) {
                delivery.ack();
            } else {
                delivery.defer();
            }
        }
    }

    @Parameters(paramLabel = "PATTERN", arity = "0..*", description = "event types: task.*, task.progress, *")
    private List<String> patterns = new ArrayList<>();

    @Option(names = "--type", paramLabel = "PATTERN", description = "the same as an option")
    private List<String> types = new ArrayList<>();

    @Option(names = "--source", paramLabel = "ID", description = "only from this sender")
    private List<String> sources = new ArrayList<>();

    @Option(names = "--target", paramLabel = "ID", description = "only for this receiver")
    private List<String> targets = new ArrayList<>();

    @Option(names = "--topic", paramLabel = "NAME", description = "only of this topic")
    private List<String> topics = new ArrayList<>();

    @Option(names = "--session-id", paramLabel = "ID", description = "only of this session")
    private List<String> sessionIds = new ArrayList<>();

    @Option(names = "--conversation-id", paramLabel = "ID", description = "only of this conversation")
    private List<String> conversationIds = new ArrayList<>();

    @Option(names = "--task-id", paramLabel = "ID", description = "only of this task")
    private List<String> taskIds = new ArrayList<>();

    @Option(names = "--where", paramLabel = "NAME=VALUE", description = "only with this envelope member")
    private Map<String, String> metadata = new LinkedHashMap<>();

    @Option(names = "--mode", paramLabel = "MODE", description = "best_effort, at_least_once or replayable")
    private @Nullable String mode;

    @Option(names = "--from", paramLabel = "CURSOR", description = "begin after this cursor, or with earliest")
    private @Nullable String from;

    @Option(names = "--count", paramLabel = "N", description = "end after so many events")
    private long count = Long.MAX_VALUE;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "end after that time; exit 1 when --count was not reached")
    private @Nullable Long timeout;

    @ArgGroup
    private Settling settling = new Settling();

    @Option(
            names = "--as",
            paramLabel = "ID",
            defaultValue = IDENTITY,
            description = "who subscribes (default: ${DEFAULT-VALUE})")
    private String identity;

    @Override
    int run() throws Exception {
        settling.requireKnownCode();
        if (count < 1) {
            throw Failure.usage("--count must be 1 or more.", "Leave it out to go on until Ctrl-C.");
        }
        CountDownLatch done = new CountDownLatch(1);
        AtomicLong seen = new AtomicLong();
        try (HarmovelaClient client = attach(identity)) {
            Subscription subscription = subscribe(client, delivery -> show(delivery, seen, done));
            console().note("Subscribed (" + subscription.id() + "). Ctrl-C ends.");
            boolean reached = await(done);
            client.fence().get(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (!reached && count != Long.MAX_VALUE) {
                throw Failure.failed("timeout", "Only " + seen + " of " + count + " events came in time.", null);
            }
            return ExitCodes.OK;
        }
    }

    private boolean await(CountDownLatch done) throws InterruptedException {
        if (timeout == null) {
            done.await();
            return true;
        }
        return done.await(timeout, TimeUnit.SECONDS);
    }

    private Subscription subscribe(HarmovelaClient client, DeliveryHandler handler) throws Exception {
        CompletableFuture<Subscription> created = client.subscribe(filter(), handler);
        try {
            return created.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException failure) {
            if (failure.getCause() instanceof HubRefused refused) {
                throw Failure.of(refused, root().hub());
            }
            throw failure;
        } catch (TimeoutException silent) {
            throw Failure.failed("timeout", "The hub did not answer the subscription in time.", null)
                    .at(root().hub());
        }
    }

    private Json.Obj filter() {
        List<String> wanted = new ArrayList<>(patterns);
        wanted.addAll(types);
        Json.Builder filter = Json.Obj.builder();
        put(filter, "types", wanted);
        put(filter, "source", sources);
        put(filter, "target", targets);
        put(filter, "topic", topics);
        put(filter, "session_id", sessionIds);
        put(filter, "conversation_id", conversationIds);
        put(filter, "task_id", taskIds);
        if (!metadata.isEmpty()) {
            Json.Builder equal = Json.Obj.builder();
            metadata.forEach(equal::put);
            filter.put("metadata", equal.build());
        }
        return filter.put("from_cursor", from).put("delivery_mode", mode).build();
    }

    private static void put(Json.Builder filter, String name, List<String> values) {
        if (!values.isEmpty()) {
            filter.put(name, values);
        }
    }

    private void show(Delivery delivery, AtomicLong seen, CountDownLatch done) {
        if (done.getCount() == 0) {
            // shown by whoever asks next
            delivery.defer();
            return;
        }
        console().line(console().isJson() ? delivery.event().toString() : EventLine.ofDelivery(delivery.event()));
        if (console().isDeaf()) {
            // nobody has seen it
            delivery.defer();
            done.countDown();
            return;
        }
        settling.settle(delivery);
        if (seen.incrementAndGet() >= count) {
            done.countDown();
        }
    }
}
