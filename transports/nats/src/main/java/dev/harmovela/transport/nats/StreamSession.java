package dev.harmovela.transport.nats;

import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.HubIdentity;
import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkSettings;
import dev.harmovela.transport.link.Outbound;
import dev.harmovela.transport.link.WriteRefused;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PublishOptions;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JetStream stream with one durable pull consumer (D36). Pulls are asked for anew every few seconds and the
 * consumer is looked
 * at, so that a restarted server, a deleted consumer or a lost pull is noticed without anybody's help (TRN-07).
 */
final class StreamSession implements BrokerSession {

    private static final int NOT_FOUND = 404;
    private static final Duration ACK_WAIT = Duration.ofSeconds(60);
    private static final Duration PULL = Duration.ofSeconds(3);
    private static final long EXTEND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOST_PENDING = 2048;

    private final Connection connection;
    private final LinkSettings settings;
    private final JetStream stream;
    private final JetStreamManagement management;
    private final String streamName;
    private final String durable;
    private @Nullable JetStreamSubscription subscription;
    private final List<Message> inHand = new ArrayList<>();
    private long asked;
    private long extendedAt;
    private long askedUntil;

    private StreamSession(Connection connection, LinkSettings settings, String streamName, String durable)
            throws IOException {
        this.connection = connection;
        this.settings = settings;
        this.streamName = streamName;
        this.durable = durable;
        this.stream = connection.jetStream();
        this.management = connection.jetStreamManagement();
    }

    static StreamSession open(Connection connection, LinkSettings settings, String stream, HubIdentity hub)
            throws LinkFailed {
        try {
            StreamSession session = new StreamSession(connection, settings, stream, hub.group(settings));
            session.requireStream(settings.create() || hub.mayCreate());
            if (settings.mode().reads()) {
                session.requireAlone();
                session.subscribe();
            }
            return session;
        } catch (IOException | JetStreamApiException | RuntimeException failed) {
            throw LinkFailed.because("JetStream", failed);
        }
    }

    private void requireStream(boolean mayCreate) throws IOException, JetStreamApiException, LinkFailed {
        try {
            management.getStreamInfo(streamName);
        } catch (JetStreamApiException missing) {
            if (missing.getErrorCode() != NOT_FOUND) {
                throw missing;
            }
            if (!mayCreate) {
                throw new LinkFailed(
                        "the stream " + streamName + " does not exist, and the link may not create it", missing);
            }
            management.addStream(StreamConfiguration.builder()
                    .name(streamName)
                    .subjects(settings.prefix() + ".>")
                    .storageType(StorageType.File)
                    .build());
        }
    }

    /** One prefix belongs to one hub (D36): another one's reader that is at work is a conflict. */
    private void requireAlone() throws IOException, JetStreamApiException, LinkFailed {
        for (ConsumerInfo other : management.getConsumers(streamName)) {
            String filter = other.getConsumerConfiguration().getFilterSubject();
            boolean foreign =
                    other.getName().startsWith("aep-hub-") && !other.getName().equals(durable);
            if (foreign && subjects().equals(filter) && other.getNumWaiting() > 0) {
                throw new LinkFailed(
                        "the prefix " + settings.prefix() + " belongs to the link " + other.getName(), null);
            }
        }
    }

    private String subjects() {
        return settings.prefix() + ".>";
    }

    /**
     * Takes the durable over. What was in hand when an earlier session ended would come again only after its time,
     * behind what is
     * newer; so a durable with such messages is set back to where everything is settled, and the hub knows the
     * rest by its ids.
     */
    private void subscribe() throws IOException, JetStreamApiException {
        ConsumerInfo before = existing();
        ConsumerConfiguration.Builder wanted = ConsumerConfiguration.builder()
                .durable(durable)
                .ackPolicy(AckPolicy.Explicit)
                .filterSubject(subjects())
                .ackWait(ACK_WAIT)
                .maxAckPending(MOST_PENDING)
                .maxPullWaiting(16);
        if (before != null && before.getNumAckPending() > 0) {
            long settled = before.getAckFloor().getStreamSequence();
            management.deleteConsumer(streamName, durable);
            wanted.deliverPolicy(DeliverPolicy.ByStartSequence).startSequence(settled + 1);
            management.addOrUpdateConsumer(streamName, wanted.build());
        } else if (before == null) {
            management.addOrUpdateConsumer(
                    streamName, wanted.deliverPolicy(DeliverPolicy.All).build());
        }
        subscription = stream.subscribe(null, PullSubscribeOptions.bind(streamName, durable));
    }

    private @Nullable ConsumerInfo existing() throws IOException, JetStreamApiException {
        try {
            return management.getConsumerInfo(streamName, durable);
        } catch (JetStreamApiException missing) {
            if (missing.getErrorCode() != NOT_FOUND) {
                throw missing;
            }
            return null;
        }
    }

    @Override
    public List<Inbound> read(int most, long waitMillis) throws LinkFailed, InterruptedException {
        List<Inbound> some = new ArrayList<>();
        JetStreamSubscription from = subscription;
        requireConnected();
        try {
            long wait = waitMillis;
            inHand.clear();
            while (from != null && some.size() < most) {
                ask(from, most);
                Message message = from.nextMessage(Duration.ofMillis(wait));
                if (message == null) {
                    break;
                }
                wait = 1;
                asked--;
                inHand.add(message);
                String position = Long.toString(message.metaData().streamSequence());
                some.add(Messages.inbound(message, position, null));
            }
        } catch (IllegalStateException gone) {
            throw LinkFailed.because("the consumer has ended", gone);
        }
        return some;
    }

    private void ask(JetStreamSubscription from, int most) {
        long now = System.nanoTime();
        if (asked <= 0 || now - askedUntil >= 0) {
            from.pullExpiresIn(most, PULL);
            asked = most;
            askedUntil = now + PULL.toNanos();
        }
    }

    private void requireConnected() throws LinkFailed {
        if (connection.getStatus() != Connection.Status.CONNECTED) {
            throw new LinkFailed("the connection to NATS is gone", null);
        }
    }

    @Override
    public void settle(List<Inbound> done) throws LinkFailed {
        requireConnected();
        inHand.clear();
        for (Inbound one : done) {
            if (one.token() instanceof Message message) {
                message.ack();
            }
        }
    }

    @Override
    public void idle(long waitMillis) throws LinkFailed, InterruptedException {
        if (waitMillis > 0) {
            TimeUnit.MILLISECONDS.sleep(waitMillis);
        }
        requireConnected();
        long now = System.nanoTime();
        if (now - extendedAt > EXTEND_NANOS) {
            extendedAt = now;
            inHand.forEach(Message::inProgress);
        }
    }

    /** Also the watchdog: a consumer that was deleted, or a server that does not answer, ends the session. */
    @Override
    public long lag() throws LinkFailed {
        try {
            if (!settings.mode().reads()) {
                management.getStreamInfo(streamName);
                return 0;
            }
            ConsumerInfo info = management.getConsumerInfo(streamName, durable);
            return info.getNumPending() + info.getNumAckPending();
        } catch (IOException | JetStreamApiException | IllegalStateException gone) {
            throw LinkFailed.because("the consumer cannot be seen", gone);
        }
    }

    @Override
    public List<CompletableFuture<Void>> write(List<Outbound> messages) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Outbound message : messages) {
            if (!Messages.fits(connection, message)) {
                all.add(CompletableFuture.failedFuture(
                        new WriteRefused("larger than " + connection.getMaxPayload() + " bytes", true)));
                continue;
            }
            try {
                all.add(publish(message));
            } catch (IllegalStateException gone) {
                all.add(CompletableFuture.failedFuture(gone));
            }
        }
        return all;
    }

    private CompletableFuture<Void> publish(Outbound message) {
        if (message.bestEffort()) {
            connection.publish(Messages.outbound(message));
            return CompletableFuture.completedFuture(null);
        }
        PublishOptions options =
                PublishOptions.builder().messageId(message.dedupe()).build();
        return stream.publishAsync(Messages.outbound(message), options).<Void>thenApply(_ -> null);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
