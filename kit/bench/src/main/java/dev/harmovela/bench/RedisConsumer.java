package dev.harmovela.bench;

import java.util.Arrays;

/** A consumer group of its own: blocking reads of up to 1024 entries, one XACK for each. */
final class RedisConsumer extends RedisWire implements Consumer {

    private static final byte[] ID = HubWire.ascii("\"id\":\"evt-");
    private static final int ID_AT = 6;
    /** Tokens in front of the entries of a reply: outer array, stream array, stream name, array of entries. */
    private static final int HEADER_TOKENS = 4;
    /** Tokens of an entry: array, id, array, field, value. */
    private static final int ENTRY_TOKENS = 5;

    private final byte[] read;
    private final byte[] xack;
    private int token;
    private int entries;
    private int hint;
    private final byte[] id = new byte[64];
    private int idLength;
    private long received;
    private long settled;
    private long reads;

    RedisConsumer(Loop loop, int port, int number) {
        super(loop, port);
        String group = "g" + number;
        read = bytes("XREADGROUP", "GROUP", group, "c", "COUNT", "1024", "BLOCK", "0", "STREAMS", STREAM, ">");
        byte[] whole = bytes("XACK", STREAM, group, "");
        // without the empty id: its length and its bytes differ from entry to entry
        xack = Arrays.copyOf(whole, whole.length - "0\r\n\r\n".length());
        send(bytes("XGROUP", "CREATE", STREAM, group, "$", "MKSTREAM"));
    }

    @Override
    void line(byte kind, byte[] bytes, int from, int to) {
        switch (kind) {
            case '+' -> readMore();
            case ':' -> settled++;
            case '*' -> token(bytes, from, to);
            default -> throw new BenchFailed("a reply of kind " + (char) kind);
        }
    }

    @Override
    void bulk(byte[] bytes, int from, int to) {
        token(bytes, from, to);
    }

    private void token(byte[] bytes, int from, int to) {
        token++;
        if (token == HEADER_TOKENS) {
            entries = number(bytes, from, to);
        } else if (token > HEADER_TOKENS) {
            switch ((token - HEADER_TOKENS) % ENTRY_TOKENS) {
                case 2 -> keepId(bytes, from, to);
                case 0 -> entry(bytes, from, to);
                default -> {
                    // counts and the name of the field
                }
            }
        }
    }

    private void keepId(byte[] bytes, int from, int to) {
        idLength = to - from;
        System.arraycopy(bytes, from, id, 0, idLength);
    }

    private void entry(byte[] bytes, int from, int to) {
        int idFrom = Sample.find(bytes, from, to, ID, from + hint);
        if (idFrom < 0 || Sample.number(bytes, idFrom + ID_AT) != received + 1) {
            throw HubWire.unexpected(bytes, from, to, received + 1);
        }
        hint = idFrom - from;
        received++;
        acknowledge();
        if (--entries == 0) {
            readMore();
        }
    }

    private void acknowledge() {
        int length = xack.length + idLength + 6;
        byte[] target = room(length);
        int at = position();
        System.arraycopy(xack, 0, target, at, xack.length);
        at += xack.length;
        target[at] = (byte) ('0' + idLength / 10);
        target[at + 1] = (byte) ('0' + idLength % 10);
        target[at + 2] = '\r';
        target[at + 3] = '\n';
        System.arraycopy(id, 0, target, at + 4, idLength);
        target[at + 4 + idLength] = '\r';
        target[at + 5 + idLength] = '\n';
        wrote(length);
    }

    private void readMore() {
        token = 0;
        reads++;
        send(read);
    }

    @Override
    public boolean ready() {
        return reads > 0;
    }

    @Override
    public long received() {
        return received;
    }

    /** XACK is answered, so the answers are the sign. */
    @Override
    public void fence() {}

    @Override
    public boolean fenced() {
        return settled == received;
    }
}
