package dev.harmovela.bench;

import java.nio.charset.StandardCharsets;

/** A connection to a NATS server: text lines, and messages with a length. */
abstract class NatsWire extends Wire {

    static final String STREAM = "BENCH";
    static final String SUBJECT = "bench.events";

    private static final byte[] LINE_END = {'\r', '\n'};

    private long pongs;
    private long pings;

    NatsWire(Loop loop, int port) {
        super(loop, port);
        send("CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"bench\",\"version\":\"0\",\"protocol\":1,"
                + "\"headers\":false,\"no_responders\":false}\r\n");
    }

    /** A message; its subject and reply subject are in the line from {@code line} to {@code body - 2}. */
    abstract void message(byte[] bytes, int line, int body, int end);

    @Override
    final int consume(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end) {
            int lineEnd = Sample.find(bytes, at, end, LINE_END, -1);
            if (lineEnd < 0) {
                break;
            }
            int body = lineEnd + 2;
            if (bytes[at] == 'M') {
                int length = trailingNumber(bytes, lineEnd);
                if (end - body < length + 2) {
                    break;
                }
                message(bytes, at, body, body + length);
                at = body + length + 2;
            } else {
                control(new String(bytes, at, lineEnd - at, StandardCharsets.UTF_8));
                at = body;
            }
        }
        return at;
    }

    private void control(String line) {
        if (line.equals("PING")) {
            send("PONG\r\n");
        } else if (line.equals("PONG")) {
            pongs++;
        } else if (line.startsWith("-ERR")) {
            throw new BenchFailed("nats-server says " + line);
        }
    }

    final void ping() {
        pings++;
        send("PING\r\n");
    }

    final boolean ponged() {
        return pings == pongs;
    }

    final void subscribe(String subject, int sid) {
        send("SUB " + subject + " " + sid + "\r\n");
    }

    /** Publishes a request; the answer comes as a message on {@code reply}. */
    final void request(String subject, String reply, String json) {
        send("PUB " + subject + " " + reply + " " + json.length() + "\r\n" + json + "\r\n");
    }

    private static int trailingNumber(byte[] bytes, int end) {
        int n = 0;
        int unit = 1;
        for (int i = end - 1; bytes[i] >= '0' && bytes[i] <= '9'; i--) {
            n += (bytes[i] - '0') * unit;
            unit *= 10;
        }
        return n;
    }

    /** Fails when an answer of the JetStream API is an error. */
    static void requireDone(byte[] bytes, int body, int end) {
        String answer = new String(bytes, body, end - body, StandardCharsets.UTF_8);
        if (answer.contains("\"error\"")) {
            throw new BenchFailed("JetStream says " + answer);
        }
    }
}
