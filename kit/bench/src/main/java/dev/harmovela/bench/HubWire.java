package dev.harmovela.bench;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A WebSocket to the hub with an open session; the thinnest that can be, with all frames in one buffer. */
abstract class HubWire extends Wire {

    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final int MASKED = 0x80;
    private static final int TEXT = 0x81;
    private static final int PING = 0x89;
    private static final int CLOSE = 0x88;

    private final String source;
    private boolean upgraded;
    private boolean open;
    private String sessionId;

    /** @param sessionId a session to resume, or empty for a new one */
    HubWire(Loop loop, int port, String source, String sessionId) {
        super(loop, port);
        this.source = source;
        this.sessionId = sessionId;
        send("GET /harmovela HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: harmovela-0.2\r\nSec-WebSocket-Key: "
                + Base64.getEncoder().encodeToString(new byte[16]) + "\r\n\r\n");
    }

    final boolean isOpen() {
        return open;
    }

    final String source() {
        return source;
    }

    final String sessionId() {
        return sessionId;
    }

    /** The session is ready; what comes now is for the work. */
    void opened() {}

    /** One text message. */
    abstract void text(byte[] bytes, int from, int to);

    @Override
    final int consume(byte[] bytes, int start, int end) {
        int at = upgraded ? start : handshake(bytes, start, end);
        while (upgraded && end - at >= 2) {
            int code = bytes[at + 1] & 0x7F;
            int header = code < 126 ? 2 : code == 126 ? 4 : 10;
            if (end - at < header) {
                break;
            }
            int length = code < 126 ? code : code == 126 ? number(bytes, at + 2, 2) : number(bytes, at + 6, 4);
            if (end - at < header + length) {
                break;
            }
            frame(bytes[at] & 0xFF, bytes, at + header, at + header + length);
            at += header + length;
        }
        return at;
    }

    private int handshake(byte[] bytes, int start, int end) {
        int head = Sample.find(bytes, start, end, HEAD_END, -1);
        if (head < 0) {
            return start;
        }
        String answer = new String(bytes, start, head - start, StandardCharsets.US_ASCII);
        if (!answer.startsWith("HTTP/1.1 101")) {
            throw new BenchFailed("no WebSocket: " + answer.lines().findFirst().orElse(""));
        }
        upgraded = true;
        String open =
                envelope("open-" + source, "session.open", "{\"capabilities\":{\"agent_id\":\"" + source + "\"}}");
        sendText(
                sessionId.isEmpty()
                        ? open
                        : open.replace(",\"payload\"", ",\"session_id\":\"" + sessionId + "\",\"payload\""));
        return head + HEAD_END.length;
    }

    private void frame(int first, byte[] bytes, int from, int to) {
        switch (first) {
            case TEXT -> {
                if (open) {
                    text(bytes, from, to);
                } else {
                    opening(new String(bytes, from, to - from, StandardCharsets.UTF_8));
                }
            }
            case PING -> frame(0x8A, new byte[0]);
            case CLOSE ->
                throw new BenchFailed("the hub closed " + source + ": "
                        + new String(bytes, from + 2, Math.max(0, to - from - 2), StandardCharsets.UTF_8));
            default -> throw new BenchFailed("a frame of kind " + first);
        }
    }

    private void opening(String text) {
        if (!text.contains("\"type\":\"session.opened\"")) {
            throw new BenchFailed("no session for " + source + ": " + text);
        }
        sessionId = member(text, "session_id");
        sendText(envelope("ready-" + source, "session.ready", "{}"));
        open = true;
        opened();
    }

    /** Value of a string member, wherever it stands first. */
    static String member(String json, String name) {
        int at = json.indexOf("\"" + name + "\":\"");
        if (at < 0) {
            throw new BenchFailed("no " + name + " in " + json);
        }
        int begin = at + name.length() + 4;
        return json.substring(begin, json.indexOf('"', begin));
    }

    final String envelope(String id, String type, String payload) {
        return "{\"spec_version\":\"0.2\",\"id\":\"" + id + "\",\"type\":\"" + type + "\",\"source\":\"" + source
                + "\",\"created_at\":\"2026-01-01T00:00:00Z\",\"payload\":" + payload + "}";
    }

    final void sendText(String text) {
        frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Queues a text frame. The masking key is zero, so that the bytes stay as they are; the server unmasks all the
     * same.
     */
    final void sendText(byte[] payload) {
        frame(TEXT, payload);
    }

    private void frame(int first, byte[] payload) {
        int length = payload.length;
        byte[] target = room(length + 8);
        int at = position();
        int header = length < 126 ? 6 : 8;
        target[at] = (byte) first;
        if (length < 126) {
            target[at + 1] = (byte) (MASKED | length);
        } else if (length <= 0xFFFF) {
            target[at + 1] = (byte) (MASKED | 126);
            target[at + 2] = (byte) (length >>> 8);
            target[at + 3] = (byte) length;
        } else {
            throw new BenchFailed("a message of " + length + " bytes");
        }
        for (int i = at + header - 4; i < at + header; i++) {
            target[i] = 0;
        }
        System.arraycopy(payload, 0, target, at + header, length);
        wrote(header + length);
    }

    private static int number(byte[] bytes, int at, int count) {
        int n = 0;
        for (int i = at; i < at + count; i++) {
            n = n << 8 | bytes[i] & 0xFF;
        }
        return n;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static BenchFailed unexpected(byte[] bytes, int from, int to, long expected) {
        return new BenchFailed("event " + expected + " was due, but came: "
                + new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
}
