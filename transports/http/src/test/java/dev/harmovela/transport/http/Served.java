package dev.harmovela.transport.http;

import dev.harmovela.spi.Authenticator;
import java.io.IOException;

/** A port on loopback with a fake hub behind it. */
final class Served implements AutoCloseable {

    static final int MAX_EVENT = 256 * 1024;

    final HttpServer server;
    final FakeHub hub;
    final int port;

    Served() throws PortTaken {
        this(HttpConfig.DEFAULT, Authenticator.open());
    }

    Served(HttpConfig config) throws PortTaken {
        this(config, Authenticator.open());
    }

    Served(HttpConfig config, Authenticator authenticator) throws PortTaken {
        server = HttpServer.create(config.at("127.0.0.1", 0), authenticator);
        hub = new FakeHub(server.executor(), MAX_EVENT - 64 * 1024);
        port = server.start(hub);
    }

    Probe probe() throws IOException {
        return new Probe(port);
    }

    /** A probe after the WebSocket handshake. */
    Probe webSocket() throws IOException {
        return probe().upgrade();
    }

    /** One request on a connection of its own; the text has no {@code Host} and no last blank line. */
    Probe.Response ask(String request) throws IOException {
        return ask(request, "");
    }

    Probe.Response ask(String request, String body) throws IOException {
        try (Probe probe = probe()) {
            probe.request(request, body);
            return probe.response();
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
