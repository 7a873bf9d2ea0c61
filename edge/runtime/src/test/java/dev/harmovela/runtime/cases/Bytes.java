package dev.harmovela.runtime.cases;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A client made of bytes: it reads only when a test says so. */
final class Bytes implements AutoCloseable {

    private static final int SMALL_BUFFER = 4096;

    private final Socket socket = new Socket();
    private final InputStream in;
    private final DataOutputStream out;

    Bytes(int port) throws IOException {
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.setSoTimeout((int) Running.PATIENCE.toMillis());
        socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new BufferedInputStream(socket.getInputStream(), SMALL_BUFFER);
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** The head of an answer; names of headers in small letters. */
    record Head(int status, Map<String, String> headers) {}

    /** Sends the head of a request and a body; reads the head of the answer. */
    Head ask(String requestLine, String headers, byte[] body) throws IOException {
        String head = requestLine + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers
                + (body.length > 0 ? "Content-Length: " + body.length + "\r\n" : "") + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        int status = Integer.parseInt(line().split(" ")[1]);
        Map<String, String> answer = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            answer.put(
                    line.substring(0, colon).toLowerCase(java.util.Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Head(status, answer);
    }

    Bytes webSocket() throws IOException {
        Head head = ask(
                "GET /harmovela",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: harmovela-0.2\r\n",
                new byte[0]);
        if (head.status() != 101) {
            throw new AssertionError(head);
        }
        return this;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection ended");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    /** Sends a text frame under a mask of zeros. */
    void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeByte(0x81);
        if (bytes.length < 126) {
            out.writeByte(0x80 | bytes.length);
        } else if (bytes.length < 65_536) {
            out.writeByte(0x80 | 126);
            out.writeShort(bytes.length);
        } else {
            out.writeByte(0x80 | 127);
            out.writeLong(bytes.length);
        }
        out.writeInt(0);
        out.write(bytes);
        out.flush();
    }

    /** The text of the next frame; for a close frame its code. */
    String frame() throws IOException {
        int opcode = in.read() & 0x0F;
        int length = in.read();
        if (length < 0) {
            throw new IOException("the connection ended");
        }
        length = length == 126 ? in.read() << 8 | in.read() : length;
        if (length == 127) {
            length = Math.toIntExact(new java.io.DataInputStream(in).readLong());
        }
        byte[] payload = in.readNBytes(length);
        return opcode == 8
                ? Integer.toString((payload[0] & 0xFF) << 8 | payload[1] & 0xFF)
                : new String(payload, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
