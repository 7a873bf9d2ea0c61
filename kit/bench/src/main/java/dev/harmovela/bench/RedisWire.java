package dev.harmovela.bench;

import java.nio.charset.StandardCharsets;

/** A connection to a Redis server; replies are taken token by token, so that a large one is never parsed twice. */
abstract class RedisWire extends Wire {

    static final String STREAM = "bench";

    private static final byte[] LINE_END = {'\r', '\n'};

    RedisWire(Loop loop, int port) {
        super(loop, port);
    }

    /** A line: the count of an array ({@code '*'}), an integer, a status, an empty bulk. */
    abstract void line(byte kind, byte[] bytes, int from, int to);

    /** A bulk string. */
    abstract void bulk(byte[] bytes, int from, int to);

    @Override
    final int consume(byte[] bytes, int start, int end) {
        int at = start;
        while (at < end) {
            int lineEnd = Sample.find(bytes, at + 1, end, LINE_END, -1);
            if (lineEnd < 0) {
                break;
            }
            byte kind = bytes[at];
            if (kind == '-') {
                throw new BenchFailed("Redis says " + new String(bytes, at, lineEnd - at, StandardCharsets.UTF_8));
            }
            if (kind != '$' || bytes[at + 1] == '-') {
                line(kind, bytes, at + 1, lineEnd);
                at = lineEnd + 2;
                continue;
            }
            int body = lineEnd + 2;
            int length = number(bytes, at + 1, lineEnd);
            if (end - body < length + 2) {
                break;
            }
            bulk(bytes, body, body + length);
            at = body + length + 2;
        }
        return at;
    }

    static int number(byte[] bytes, int from, int to) {
        int n = 0;
        for (int i = from; i < to; i++) {
            n = n * 10 + bytes[i] - '0';
        }
        return n;
    }

    /** A command in bytes. */
    static byte[] bytes(String... words) {
        StringBuilder text = new StringBuilder("*").append(words.length).append("\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
