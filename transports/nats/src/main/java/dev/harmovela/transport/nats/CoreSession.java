package dev.harmovela.transport.nats;

import dev.harmovela.transport.link.BrokerSession;
import dev.harmovela.transport.link.Inbound;
import dev.harmovela.transport.link.LinkFailed;
import dev.harmovela.transport.link.LinkSettings;
import dev.harmovela.transport.link.Outbound;
import dev.harmovela.transport.link.WriteRefused;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Core NATS: what nobody listens to is gone, and a reply subject gets an answer (D36). */
final class CoreSession implements BrokerSession {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long MOST_PENDING = 65_536;
    private static final long MOST_BYTES = 64L << 20;

    private final Connection connection;
    private final LinkSettings settings;
    private final @Nullable Subscription subscription;

    CoreSession(Connection connection, LinkSettings settings) {
        this.connection = connection;
        this.settings = settings;
        this.subscription = settings.mode().reads() ? connection.subscribe(settings.prefix() + ".>") : null;
        if (subscription != null) {
            subscription.setPendingLimits(MOST_PENDING, MOST_BYTES);
        }
    }

    @Override
    public List<Inbound> read(int most, long waitMillis) throws LinkFailed, InterruptedException {
        List<Inbound> some = new ArrayList<>();
        requireConnected();
        try {
            Subscription from = subscription;
            long wait = waitMillis;
            while (from != null && some.size() < most) {
                Message message = from.nextMessage(Duration.ofMillis(wait));
                if (message == null) {
                    break;
                }
                wait = 1;
                if (!settings.names().isOutbound(message.getSubject())) {
                    some.add(Messages.inbound(message, "", message.getReplyTo()));
                }
            }
        } catch (IllegalStateException gone) {
            throw LinkFailed.because("the subscription has ended", gone);
        }
        return some;
    }

    private void requireConnected() throws LinkFailed {
        if (connection.getStatus() != Connection.Status.CONNECTED) {
            throw new LinkFailed("the connection to NATS is gone", null);
        }
    }

    @Override
    public void settle(List<Inbound> done) {
        // core NATS keeps nothing
    }

    @Override
    public void idle(long waitMillis) throws LinkFailed, InterruptedException {
        if (waitMillis > 0) {
            Thread.sleep(waitMillis);
        }
        requireConnected();
    }

    @Override
    public long lag() throws LinkFailed, InterruptedException {
        flush();
        Subscription from = subscription;
        return from == null ? 0 : from.getPendingMessageCount();
    }

    private void flush() throws LinkFailed, InterruptedException {
        try {
            connection.flush(PATIENCE);
        } catch (TimeoutException | IllegalStateException frozen) {
            throw LinkFailed.because("NATS does not answer", frozen);
        }
    }

    @Override
    public List<CompletableFuture<Void>> write(List<Outbound> messages) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        Throwable failed = null;
        for (Outbound message : messages) {
            if (!Messages.fits(connection, message)) {
                all.add(CompletableFuture.failedFuture(
                        new WriteRefused("larger than " + connection.getMaxPayload() + " bytes", true)));
                continue;
            }
            try {
                connection.publish(Messages.outbound(message));
            } catch (IllegalStateException gone) {
                failed = gone;
            }
            all.add(new CompletableFuture<>());
        }
        try {
            flush();
        } catch (LinkFailed frozen) {
            failed = frozen;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failed = interrupted;
        }
        for (CompletableFuture<Void> one : all) {
            if (failed == null) {
                one.complete(null);
            } else {
                one.completeExceptionally(failed);
            }
        }
        return all;
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
