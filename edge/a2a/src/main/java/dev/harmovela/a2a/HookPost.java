package dev.harmovela.a2a;

import dev.harmovela.contract.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One POST of a notification over HTTP/1.1. The addresses are looked up, checked and then connected to as they are, so
 * that a name cannot change its mind in between; redirects are not followed. Blocks.
 */
final class HookPost {

    private static final int TIMEOUT_MILLIS = 15_000;
    private static final int MOST_STATUS_LINE = 256;

    private final HookGuard guard;

    HookPost(HookGuard guard) {
        this.guard = guard;
    }

    /**
     * @return the HTTP status
     * @throws IOException when the receiver is not reached or may not be
     */
    int send(Json.Obj hook, String body, String eventId) throws IOException {
        URI uri = guard.form(String.valueOf(hook.string("url")));
        if (uri == null) {
            throw new IOException("the address is not allowed");
        }
        List<InetAddress> addresses = HookGuard.resolve(uri);
        if (!guard.allows(addresses)) {
            throw new IOException("the address is not allowed");
        }
        boolean secure = uri.getScheme().equalsIgnoreCase("https");
        int port = uri.getPort() < 0 ? (secure ? 443 : 80) : uri.getPort();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(addresses.getFirst(), port), TIMEOUT_MILLIS);
            plain.setSoTimeout(TIMEOUT_MILLIS);
            Socket socket = secure ? secured(plain, uri.getHost(), port) : plain;
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            socket.getOutputStream()
                    .write(head(uri, hook, content.length, eventId).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(content);
            socket.getOutputStream().flush();
            return status(socket.getInputStream());
        }
    }

    private static Socket secured(Socket plain, String host, int port) throws IOException {
        SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static String head(URI uri, Json.Obj hook, int length, String eventId) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        StringBuilder head = new StringBuilder("POST ").append(path);
        if (uri.getRawQuery() != null) {
            head.append('?').append(uri.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(uri.getRawAuthority());
        head.append("\r\nContent-Type: application/a2a+json\r\nContent-Length: ")
                .append(length);
        head.append("\r\nConnection: close\r\nA2A-Event-Id: ").append(eventId).append("\r\n");
        Json.Obj login = hook.object("authentication");
        if (login != null) {
            head.append("Authorization: ").append(login.string("scheme"));
            if (login.string("credentials") != null) {
                head.append(' ').append(login.string("credentials"));
            }
            head.append("\r\n");
        }
        if (hook.string("token") != null) {
            head.append("X-A2A-Notification-Token: ")
                    .append(hook.string("token"))
                    .append("\r\n");
        }
        return head.append("\r\n").toString();
    }

    private static int status(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c != '\n' && line.length() < MOST_STATUS_LINE) {
            line.append((char) c);
            c = in.read();
        }
        String[] pieces = line.toString().strip().split(" ", 3);
        if (pieces.length < 2 || !pieces[0].startsWith("HTTP/1.") || !pieces[1].matches("[1-5][0-9]{2}")) {
            throw new IOException("the answer is not HTTP");
        }
        return Integer.parseInt(pieces[1]);
    }
}
