package dev.harmovela.transport.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client made of bytes, so that a test decides about every one of them. */
final class Probe implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int MASK = 0x1A2B3C4D;

    final Socket socket;
    private final InputStream in;
    private final DataOutputStream out;
    private final int port;

    Probe(int port) throws IOException {
        this.port = port;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** A status, headers in small letters and a body. */
    record Response(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name);
        }
    }

    /** A frame of the server. */
    record Frame(int opcode, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        int closeCode() {
            return ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF);
        }
    }

    // --- HTTP

    void request(String head, String body) throws IOException {
        StringBuilder text = new StringBuilder(head.strip().replace("\n", "\r\n"));
        if (!head.contains("\nHost:")) {
            text.append("\r\nHost: 127.0.0.1:").append(port);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            text.append("\r\nContent-Length: ").append(bytes.length);
        }
        send(text.append("\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8));
        send(bytes);
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("after: " + line.toString(StandardCharsets.UTF_8));
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Status and headers; a body with a length is read as well. */
    Response response() throws IOException {
        return response(false);
    }

    /** To a HEAD the length is told and nothing follows. */
    Response responseToHead() throws IOException {
        return response(true);
    }

    private Response response(boolean toHead) throws IOException {
        int status = Integer.parseInt(line().substring("HTTP/1.1 ".length()).substring(0, 3));
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        String length = headers.get("content-length");
        byte[] body = length == null || toHead ? new byte[0] : in.readNBytes(Integer.parseInt(length));
        return new Response(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    /** One piece of a chunked body; empty at its end. */
    String chunk() throws IOException {
        int length = Integer.parseInt(line(), 16);
        String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        line();
        return text;
    }

    /** Pieces of a chunked body until {@code text} was seen. */
    String chunksUntil(String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            String chunk = chunk();
            if (chunk.isEmpty()) {
                throw new EOFException("the stream ended after: " + seen);
            }
            seen.append(chunk);
        }
        return seen.toString();
    }

    /** Whether the server has closed; drops what still comes. */
    boolean closedByServer() throws IOException {
        try {
            while (in.read() >= 0) {
                // dropped
            }
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    // --- WebSocket

    static String handshake(String protocolLine) {
        return "GET /harmovela HTTP/1.1\nUpgrade: websocket\nConnection: keep-alive, Upgrade\n"
                + "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n" + protocolLine;
    }

    Probe upgrade() throws IOException {
        request(handshake("Sec-WebSocket-Protocol: harmovela-0.2"), "");
        Response response = response();
        if (response.status() != 101) {
            throw new IOException("handshake answered " + response);
        }
        return this;
    }

    void text(String text) throws IOException {
        frame(0x81, text.getBytes(StandardCharsets.UTF_8));
    }

    void frame(int first, byte[] payload) throws IOException {
        send(masked(first, payload));
    }

    static byte[] masked(int first, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream frame = new DataOutputStream(bytes);
        frame.write(first);
        if (payload.length < 126) {
            frame.write(0x80 | payload.length);
        } else if (payload.length <= 0xFFFF) {
            frame.write(0x80 | 126);
            frame.writeShort(payload.length);
        } else {
            frame.write(0x80 | 127);
            frame.writeLong(payload.length);
        }
        frame.writeInt(MASK);
        for (int i = 0; i < payload.length; i++) {
            frame.write(payload[i] ^ (MASK >>> (24 - 8 * (i % 4))));
        }
        return bytes.toByteArray();
    }

    Frame frame() throws IOException {
        int first = in.read();
        if (first < 0) {
            throw new EOFException("no frame");
        }
        int second = in.read();
        long length = second;
        if (second == 126) {
            length = ((long) in.read() << 8) | in.read();
        } else if (second == 127) {
            length = 0;
            for (int i = 0; i < 8; i++) {
                length = (length << 8) | in.read();
            }
        }
        return new Frame(first & 0x0F, in.readNBytes((int) length));
    }

    /** The next frame that is no ping. */
    Frame event() throws IOException {
        Frame frame = frame();
        while (frame.opcode() == 0x9) {
            frame = frame();
        }
        return frame;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
