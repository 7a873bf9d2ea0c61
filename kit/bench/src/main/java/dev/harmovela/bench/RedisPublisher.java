package dev.harmovela.bench;

/** Appends to a stream and counts the entry ids that come back. */
final class RedisPublisher extends RedisWire implements Publisher {

    private final Sample sample = new Sample("agent:publisher");
    private final byte[] head = HubWire.ascii("*5\r\n$4\r\nXADD\r\n$" + STREAM.length() + "\r\n" + STREAM
            + "\r\n$1\r\n*\r\n$4\r\nbody\r\n$" + Sample.BYTES + "\r\n");
    private long acknowledged;

    RedisPublisher(Loop loop, int port) {
        super(loop, port);
    }

    @Override
    void line(byte kind, byte[] bytes, int from, int to) {
        throw new BenchFailed("a reply of kind " + (char) kind + " to XADD");
    }

    @Override
    void bulk(byte[] bytes, int from, int to) {
        acknowledged++;
    }

    @Override
    public boolean ready() {
        return true;
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
