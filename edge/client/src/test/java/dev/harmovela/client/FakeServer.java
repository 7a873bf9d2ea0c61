package dev.harmovela.client;

import dev.harmovela.contract.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A server on loopback that a test plays by hand, connection by connection. */
final class FakeServer implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 30_000;
    /** As hubs do: the Java client's WebSocket seldom misses that a connection was cut, and then notices by silence. */
    private static final int HEARTBEAT_MILLIS = 2_000;

    private final ServerSocket listener;

    FakeServer() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(TIMEOUT_MILLIS);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    Peer accept() throws IOException {
        return new Peer(listener.accept());
    }

    /** Accepts, shakes WebSocket hands, and opens the session. */
    Peer attach(String sessionId, boolean resumed) throws IOException {
        Peer peer = accept();
        peer.upgrade();
        peer.event("session.open");
        peer.say("{\"type\":\"session.opened\",\"session_id\":\"" + sessionId + "\",\"payload\":{\"session_id\":\""
                + sessionId + "\",\"resumed\":" + resumed + ",\"capabilities\":{\"heartbeat_interval_ms\":"
                + HEARTBEAT_MILLIS + "}}}");
        peer.event("session.ready");
        return peer;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    /** One connection. */
    static final class Peer implements AutoCloseable {
        final Map<String, String> headers = new TreeMap<>();
        String requestLine = "";
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Peer(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
        }

        /** Reads a request and its body. */
        String request() throws IOException {
            headers.clear();
            requestLine = line();
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            String length = headers.getOrDefault("content-length", "0");
            return new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
        }

        void respond(String head, String body) throws IOException {
            write(head.replace("\n", "\r\n") + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        void upgrade() throws IOException {
            request();
            try {
                String joined = headers.get("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
                String accept = Base64.getEncoder()
                        .encodeToString(
                                MessageDigest.getInstance("SHA-1").digest(joined.getBytes(StandardCharsets.US_ASCII)));
                write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: " + accept + "\r\nSec-WebSocket-Protocol: harmovela-0.2\r\n\r\n");
            } catch (NoSuchAlgorithmException impossible) {
                throw new AssertionError(impossible);
            }
        }

        /** The next text message, put together from its fragments; a close frame reads as {@code close
         * <code>}, a ping, which is answered, as {@code ping}.
         */
        String text() throws IOException {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            while (true) {
                int first = in.readUnsignedByte();
                long length = in.readUnsignedByte() & 0x7F;
                if (length == 126) {
                    length = in.readUnsignedShort();
                } else if (length == 127) {
                    length = in.readLong();
                }
                byte[] mask = in.readNBytes(4);
                byte[] payload = in.readNBytes((int) length);
                for (int i = 0; i < payload.length; i++) {
                    payload[i] ^= mask[i % 4];
                }
                if ((first & 0x0F) == 0x9) {
                    frame(0x8A, payload);
                    return "ping";
                }
                if ((first & 0x0F) == 0x8) {
                    return "close " + (((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF));
                }
                if ((first & 0x0F) <= 0x1) {
                    message.writeBytes(payload);
                    if ((first & 0x80) != 0) {
                        return message.toString(StandardCharsets.UTF_8);
                    }
                }
            }
        }

        /** The next message, which must be of this type. */
        Json.Obj event(String type) throws IOException {
            Json.Obj event = (Json.Obj) Json.parse(text());
            if (!type.equals(event.string("type"))) {
                throw new AssertionError("expected " + type + " and got " + event);
            }
            return event;
        }

        void say(String text) throws IOException {
            frame(0x81, text.getBytes(StandardCharsets.UTF_8));
        }

        void acknowledge(Json.Obj event) throws IOException {
            say("{\"type\":\"event.acknowledged\",\"causation_id\":\"" + event.string("id")
                    + "\",\"payload\":{\"cursor\":\"c1\"}}");
        }

        void deliver(String id, String subscription, String cursor) throws IOException {
            say("{\"delivery\":{\"subscription_id\":\"" + subscription + "\",\"sequence\":1,\"attempt\":2,\"cursor\":\""
                    + cursor + "\"},\"id\":\"" + id + "\",\"type\":\"task.progress\",\"payload\":{\"n\":1.10}}");
        }

        void ping() throws IOException {
            frame(0x89, new byte[0]);
        }

        void end(int code) throws IOException {
            frame(0x88, new byte[] {(byte) (code >> 8), (byte) code});
        }

        private void frame(int first, byte[] payload) throws IOException {
            out.write(first);
            if (payload.length < 126) {
                out.write(payload.length);
            } else {
                out.write(126);
                out.writeShort(payload.length);
            }
            out.write(payload);
            out.flush();
        }

        private String line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new EOFException();
                }
                if (b != '\r') {
                    line.write(b);
                }
            }
            return line.toString(StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
