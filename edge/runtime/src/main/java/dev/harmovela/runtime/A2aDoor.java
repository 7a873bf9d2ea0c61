package dev.harmovela.runtime;

import dev.harmovela.a2a.A2aEndpoint;
import dev.harmovela.a2a.A2aExchange;
import dev.harmovela.a2a.A2aSettings;
import dev.harmovela.a2a.Loop;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub;
import dev.harmovela.transport.http.EventAnswer;
import dev.harmovela.transport.http.Exchange;
import dev.harmovela.transport.http.Handler;
import dev.harmovela.transport.http.HttpServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Puts A2A on the hub's port. */
final class A2aDoor {

    private A2aDoor() {}

    /** How a hub with this configuration serves A2A: development hubs take every dialect and show the echo agent. */
    static A2aSettings settings(HttpServer server, GrpcDoor grpc, DaemonConfig config, Doorkeeper door) {
        boolean dev = config.listen().access() == DaemonConfig.Access.OPEN;
        DaemonConfig.Listen listen = config.listen();
        return new A2aSettings(
                () -> listen.url(listen.host(), server.port()),
                grpc::address,
                dev ? "agent:echo" : null,
                door.isClosed(),
                dev,
                dev,
                dev);
    }

    /** Adds the routes and the gRPC binding; before the ports open. */
    static void open(HttpServer server, GrpcDoor grpc, Hub hub, Executor threads, A2aSettings settings) {
        Loop loop = new Loop() {
            @Override
            public void later(Runnable task) {
                server.executor().later(task);
            }

            @Override
            public void after(long millis, Runnable task) {
                var _ = server.executor().schedule(millis, task);
            }
        };
        A2aEndpoint endpoint = new A2aEndpoint(hub, loop, threads, settings);
        grpc.serve(endpoint);
        Handler handler = exchange -> endpoint.handle(new Request(exchange));
        for (String card : List.of("/.well-known/", "/a2a/.well-known/", "/a2a/legacy/.well-known/")) {
            server.route("GET", card + "agent-card.json", HttpServer.Access.PUBLIC, handler);
            server.route("GET", card + "agent.json", HttpServer.Access.PUBLIC, handler);
        }
        server.route("GET", "/a2a/agents/{}/.well-known/{}", HttpServer.Access.PUBLIC, handler);
        server.route("POST", "/a2a", HttpServer.Access.AUTHENTICATED, handler);
        for (String verb : List.of("GET", "POST", "DELETE")) {
            server.route(verb, "/a2a/**", HttpServer.Access.AUTHENTICATED, handler);
        }
        if (settings.legacy()) {
            server.route("POST", "/", HttpServer.Access.AUTHENTICATED, handler);
            server.route("POST", "/rpc", HttpServer.Access.AUTHENTICATED, handler);
        }
    }

    private record Request(Exchange exchange) implements A2aExchange {

        @Override
        public String method() {
            return exchange.method();
        }

        @Override
        public String path() {
            return exchange.path();
        }

        @Override
        public Map<String, List<String>> query() {
            return exchange.query();
        }

        @Override
        public @Nullable String header(String name) {
            return exchange.header(name);
        }

        @Override
        public byte[] body() {
            return exchange.body();
        }

        @Override
        public Caller caller() {
            return exchange.caller();
        }

        @Override
        public void with(String name, String value) {
            exchange.with(name, value);
        }

        @Override
        public void answer(int status, String mediaType, byte[] content) {
            exchange.respond(status, mediaType, content);
        }

        @Override
        public void whenLeft(Runnable task) {
            exchange.whenLeft(task);
        }

        @Override
        public Events events(Runnable onClosed) {
            EventAnswer answer = exchange.events(onClosed);
            return new Events() {
                @Override
                public void event(long id, String data) {
                    answer.event(id, data);
                }

                @Override
                public void comment(String text) {
                    answer.comment(text);
                }

                @Override
                public void end() {
                    answer.end();
                }
            };
        }
    }
}
