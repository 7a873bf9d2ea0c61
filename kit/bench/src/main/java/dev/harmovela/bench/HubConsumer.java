package dev.harmovela.bench;

import java.nio.charset.StandardCharsets;

/** Holds a subscription of {@code context.updated} and acknowledges every event with one event of its own. */
final class HubConsumer extends HubWire implements Consumer {

    private static final byte[] ID = ascii("\"id\":\"evt-");
    private static final byte[] FENCE = ascii("\"type\":\"event.acknowledged\"");
    private static final byte[] HEARTBEAT = ascii("heartbeat");
    private static final int ID_AT = 6;
    private static final int WINDOW = 16384;

    private final String filter;
    private String subscriptionId = "";
    private byte[] acknowledgement = {};
    private int ackIdAt;
    private int eventIdAt;
    private int hint;
    private long received;
    private long fences;
    private long fenced;

    /** @param from where to start: {@code latest}, {@code earliest} or a cursor */
    HubConsumer(Loop loop, int port, String source, String from) {
        super(loop, port, source, "");
        this.filter =
                "{\"types\":[\"context.updated\"],\"max_in_flight\":" + WINDOW + ",\"from_cursor\":\"" + from + "\"}";
    }

    /** The same consumer after its connection was lost: session and subscription are still there. */
    HubConsumer(Loop loop, int port, HubConsumer lost) {
        super(loop, port, lost.source(), lost.sessionId());
        this.filter = lost.filter;
        this.subscriptionId = lost.subscriptionId;
        this.received = lost.received;
        prepare();
    }

    @Override
    void opened() {
        if (subscriptionId.isEmpty()) {
            sendText(envelope("sub-" + source(), "subscription.requested", filter));
        }
    }

    @Override
    void text(byte[] bytes, int from, int to) {
        int id = Sample.find(bytes, from, to, ID, from + hint);
        if (id < 0) {
            other(bytes, from, to);
            return;
        }
        hint = id - from;
        long n = Sample.number(bytes, id + ID_AT);
        if (n != received + 1) {
            throw unexpected(bytes, from, to, received + 1);
        }
        received = n;
        Sample.digits(acknowledgement, ackIdAt, n);
        Sample.digits(acknowledgement, eventIdAt, n);
        sendText(acknowledgement);
    }

    private void other(byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (text.contains("\"type\":\"subscription.created\"")) {
            subscriptionId = member(text, "subscription_id");
            prepare();
        } else if (Sample.find(bytes, from, to, FENCE, -1) >= 0 && Sample.find(bytes, from, to, HEARTBEAT, -1) >= 0) {
            fenced++;
        } else if (!text.contains("\"type\":\"event.replayed\"")) {
            throw unexpected(bytes, from, to, received + 1);
        }
    }

    private void prepare() {
        String blank = Sample.blankId();
        String text = envelope(
                "ack-" + blank,
                "event.acknowledged",
                "{\"acknowledged_event_id\":\"" + blank + "\",\"subscription_id\":\"" + subscriptionId + "\"}");
        acknowledgement = ascii(text);
        ackIdAt = Sample.digitsOfId(text.indexOf(blank));
        eventIdAt = Sample.digitsOfId(text.lastIndexOf(blank));
    }

    @Override
    public boolean ready() {
        return isOpen() && !subscriptionId.isEmpty();
    }

    @Override
    public long received() {
        return received;
    }

    @Override
    public void fence() {
        fences++;
        sendText(envelope("heartbeat-" + fences, "session.heartbeat", "{}"));
    }

    @Override
    public boolean fenced() {
        return fenced == fences;
    }
}
