package dev.harmovela.bench;

/** Publishes to a file-backed stream and counts publish acknowledgements. */
final class NatsPublisher extends NatsWire implements Publisher {

    private static final String SETUP = "_INBOX.setup";
    private static final String DONE = "_INBOX.done";
    private static final byte[] SETUP_SUBJECT = HubWire.ascii(SETUP);

    private final Sample sample = new Sample("agent:publisher");
    private final byte[] head = HubWire.ascii("PUB " + SUBJECT + " " + DONE + " " + Sample.BYTES + "\r\n");
    private boolean ready;
    private long acknowledged;

    NatsPublisher(Loop loop, int port) {
        super(loop, port);
        subscribe(SETUP, 1);
        subscribe(DONE, 2);
        request(
                "$JS.API.STREAM.CREATE." + STREAM,
                SETUP,
                "{\"name\":\"" + STREAM
                        + "\",\"subjects\":[\"bench.>\"],\"storage\":\"file\",\"retention\":\"limits\"}");
    }

    @Override
    void message(byte[] bytes, int line, int body, int end) {
        requireDone(bytes, body, Math.min(end, body + 10));
        if (!ready && Sample.find(bytes, line, body, SETUP_SUBJECT, -1) >= 0) {
            requireDone(bytes, body, end);
            ready = true;
            return;
        }
        acknowledged++;
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public void publish(long n) {
        byte[] event = sample.numbered(n);
        byte[] target = room(head.length + event.length + 2);
        int at = position();
        System.arraycopy(head, 0, target, at, head.length);
        System.arraycopy(event, 0, target, at + head.length, event.length);
        target[at + head.length + event.length] = '\r';
        target[at + head.length + event.length + 1] = '\n';
        wrote(head.length + event.length + 2);
    }

    @Override
    public long acknowledged() {
        return acknowledged;
    }
}
