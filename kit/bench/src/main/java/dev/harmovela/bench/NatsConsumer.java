package dev.harmovela.bench;

/** A durable push consumer with explicit acknowledgement, one for each message. */
final class NatsConsumer extends NatsWire implements Consumer {

    private static final String SETUP = "_INBOX.setup";
    private static final byte[] ID = HubWire.ascii("\"id\":\"evt-");
    private static final byte[] ACK = HubWire.ascii(" 4\r\n+ACK\r\n");
    private static final byte[] PUB = HubWire.ascii("PUB ");
    private static final int ID_AT = 6;

    private boolean ready;
    private int hint;
    private long received;

    NatsConsumer(Loop loop, int port, int number) {
        super(loop, port);
        String deliver = "deliver." + number;
        subscribe(SETUP + number, 1);
        subscribe(deliver, 2);
        request(
                "$JS.API.CONSUMER.DURABLE.CREATE." + STREAM + ".c" + number,
                SETUP + number,
                "{\"stream_name\":\"" + STREAM + "\",\"config\":{\"durable_name\":\"c" + number
                        + "\",\"deliver_subject\":\"" + deliver
                        + "\",\"deliver_policy\":\"new\",\"ack_policy\":\"explicit\",\"max_ack_pending\":16384}}");
    }

    @Override
    void message(byte[] bytes, int line, int body, int end) {
        if (!ready) {
            requireDone(bytes, body, end);
            ready = true;
            return;
        }
        int id = Sample.find(bytes, body, end, ID, body + hint);
        if (id < 0 || Sample.number(bytes, id + ID_AT) != received + 1) {
            throw HubWire.unexpected(bytes, line, end, received + 1);
        }
        hint = id - body;
        received++;
        acknowledge(bytes, line, body);
    }

    /** {@code MSG subject sid reply length}: the acknowledgement goes to the reply subject. */
    private void acknowledge(byte[] bytes, int line, int body) {
        int end = body - 3;
        while (bytes[end] != ' ') {
            end--;
        }
        int begin = end;
        while (bytes[begin - 1] != ' ') {
            begin--;
        }
        if (begin <= line) {
            throw new BenchFailed("a delivery without a reply subject");
        }
        int length = end - begin;
        byte[] target = room(PUB.length + length + ACK.length);
        int at = position();
        System.arraycopy(PUB, 0, target, at, PUB.length);
        System.arraycopy(bytes, begin, target, at + PUB.length, length);
        System.arraycopy(ACK, 0, target, at + PUB.length + length, ACK.length);
        wrote(PUB.length + length + ACK.length);
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public long received() {
        return received;
    }

    @Override
    public void fence() {
        ping();
    }

    @Override
    public boolean fenced() {
        return ponged();
    }
}
