package dev.harmovela.bench;

/** Publishes to the hub; counts {@code event.acknowledged} by what caused it. */
final class HubPublisher extends HubWire implements Publisher {

    private static final byte[] CAUSE = ascii("\"causation_id\":\"");
    private static final byte[] TYPE = ascii("\"type\":\"event.acknowledged\"");

    private final Sample sample;
    private int typeHint;
    private int causeHint;
    private long acknowledged;

    HubPublisher(Loop loop, int port, String source) {
        super(loop, port, source, "");
        this.sample = new Sample(source);
    }

    @Override
    void text(byte[] bytes, int from, int to) {
        int type = Sample.find(bytes, from, to, TYPE, from + typeHint);
        int cause = type < 0 ? -1 : Sample.find(bytes, from, to, CAUSE, from + causeHint);
        if (cause < 0 || Sample.number(bytes, cause + CAUSE.length) != acknowledged + 1) {
            throw unexpected(bytes, from, to, acknowledged + 1);
        }
        typeHint = type - from;
        causeHint = cause - from;
        acknowledged++;
    }

    @Override
    public boolean ready() {
        return isOpen();
    }

    @Override
    public void publish(long n) {
        sendText(sample.numbered(n));
    }

    @Override
    public long acknowledged() {
        return acknowledged;
    }
}
