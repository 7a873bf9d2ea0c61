package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.function.UnaryOperator;

/** A WebSocket server with just enough of the protocol to put a {@link ParrotHub} behind every connection. */
final class WebSocketParrot implements AutoCloseable {

    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final boolean grants;

    WebSocketParrot(boolean grants) throws IOException {
        this.grants = grants;
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread.ofVirtual().start(() -> serve(socket));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    String address() {
        return "ws://127.0.0.1:" + server.getLocalPort() + "/harmovela";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            upgrade(in, out);
            ParrotHub hub = new ParrotHub(Suites.all(), UnaryOperator.identity());
            for (String text = message(in); text != null; text = message(in)) {
                Json.Obj event = SentLine.of(text).event();
                String type = event == null ? "" : Wire.type(event);
                boolean ours = text.contains("evt_conformance_");
                if (ours && type.equals("session.open")) {
                    write(out, opened(event));
                } else if (!ours || !type.equals("session.ready")) {
                    hub.send(text);
                }
                for (Incoming said = hub.receive(0); said != null; said = hub.receive(0)) {
                    write(out, said.text());
                }
            }
        } catch (IOException _) {
            // The other side has gone, as it does behind each fixture.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private String opened(Json.Obj open) {
        return "{\"type\":\"session.opened\",\"session_id\":\"sess-1\",\"causation_id\":\"" + open.string("id")
                + "\",\"payload\":{\"session_id\":\"sess-1\"},\"capabilities\":{\"features\":["
                + (grants ? "\"conformance\"" : "") + "]}}";
    }

    private static void upgrade(DataInputStream in, OutputStream out) throws IOException {
        String key = "";
        String protocol = "";
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String value = line.substring(line.indexOf(':') + 1).strip();
            if (line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18)) {
                key = value;
            } else if (line.regionMatches(true, 0, "Sec-WebSocket-Protocol:", 0, 23)) {
                protocol = value;
            }
        }
        String answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: " + accept(key) + "\r\nSec-WebSocket-Protocol: " + protocol + "\r\n\r\n";
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static String message(DataInputStream in) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        boolean last = false;
        while (!last) {
            int first = in.readUnsignedByte();
            if ((first & 0x0F) == 8) {
                return null;
            }
            last = (first & 0x80) != 0;
            int length = in.readUnsignedByte() & 0x7F;
            length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
            byte[] mask = new byte[4];
            in.readFully(mask);
            byte[] payload = new byte[length];
            in.readFully(payload);
            for (int i = 0; i < length; i++) {
                message.write(payload[i] ^ mask[i % 4]);
            }
        }
        return message.toString(StandardCharsets.UTF_8);
    }

    private static void write(OutputStream out, String text) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(0x81);
        if (payload.length < 126) {
            frame.write(payload.length);
        } else {
            frame.write(126);
            frame.write(payload.length >> 8);
            frame.write(payload.length);
        }
        frame.writeBytes(payload);
        out.write(frame.toByteArray());
        out.flush();
    }
}
