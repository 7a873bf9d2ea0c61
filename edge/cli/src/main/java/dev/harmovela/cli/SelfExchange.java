package dev.harmovela.cli;

import dev.harmovela.conformance.Exchange;
import dev.harmovela.conformance.Inbox;
import dev.harmovela.conformance.Incoming;
import dev.harmovela.runtime.InProcessHub;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A conversation of the conformance kit with a hub in this process. */
final class SelfExchange implements Exchange {

    private final Inbox inbox = new Inbox();
    private final InProcessHub.Wire wire;

    SelfExchange(InProcessHub hub) {
        this.wire = hub.connect(new InProcessHub.Listener() {
            @Override
            public void line(String text, InProcessHub.Channel channel) {
                inbox.add(new Incoming(
                        text,
                        channel == InProcessHub.Channel.OUTPUT
                                ? Incoming.Channel.EVENTS
                                : Incoming.Channel.DIAGNOSTICS));
            }

            @Override
            public void ended(String reason) {
                inbox.end(reason);
            }
        });
    }

    @Override
    public void send(String line) {
        wire.send(line);
    }

    @Override
    public @Nullable Incoming receive(long timeoutMillis) throws IOException, InterruptedException {
        return inbox.take(timeoutMillis);
    }

    @Override
    public void close() {
        wire.close();
    }
}
