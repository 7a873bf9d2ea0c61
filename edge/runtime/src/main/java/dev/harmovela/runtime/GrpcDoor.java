package dev.harmovela.runtime;

import dev.harmovela.a2a.A2aEndpoint;
import dev.harmovela.a2a.A2aRpc;
import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Caller;
import dev.harmovela.spi.Hub;
import dev.harmovela.transport.grpc.GrpcConfig;
import dev.harmovela.transport.grpc.GrpcServer;
import dev.harmovela.transport.grpc.JsonCall;
import dev.harmovela.transport.grpc.PortTaken;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The hub's gRPC port, if it has one: the stream of events, and A2A beside it. */
final class GrpcDoor {

    private final DaemonConfig config;
    private final Authenticator authenticator;
    private @Nullable A2aEndpoint endpoint;
    private volatile @Nullable GrpcServer server;

    private GrpcDoor(DaemonConfig config, Authenticator authenticator) {
        this.config = config;
        this.authenticator = authenticator;
    }

    static GrpcDoor of(DaemonConfig config, Authenticator authenticator) {
        return new GrpcDoor(config, authenticator);
    }

    /** Serves A2A too, once it starts. */
    void serve(A2aEndpoint a2a) {
        endpoint = a2a;
    }

    /** Opens the port, unless gRPC is off. */
    void start(Hub hub) throws StartFailed {
        if (!config.grpc().isOn()) {
            return;
        }
        GrpcConfig wanted = HubSettings.grpc(config);
        try {
            try {
                open(wanted, hub);
            } catch (PortTaken taken) {
                if (config.grpc().ifTaken() == DaemonConfig.IfTaken.FAIL || wanted.port() == 0) {
                    throw taken;
                }
                open(wanted.at(wanted.host(), 0), hub);
            }
        } catch (PortTaken taken) {
            throw new StartFailed(
                    StartFailed.Reason.PORT_TAKEN,
                    "The hub cannot serve gRPC: " + taken.getMessage() + ".",
                    "Choose another port with --grpc-port, HARMOVELA_GRPC_PORT or grpc.port in the configuration.",
                    taken);
        } catch (IOException unusable) {
            throw new StartFailed(
                    StartFailed.Reason.SECURITY_UNUSABLE,
                    "The hub cannot serve gRPC with TLS: " + unusable.getMessage() + ".",
                    "Look at grpc.tls_certificate, grpc.tls_key and grpc.tls_client_ca in the configuration.",
                    unusable);
        }
    }

    private void open(GrpcConfig place, Hub hub) throws PortTaken, IOException {
        GrpcServer opening = GrpcServer.create(place, hub.limits(), authenticator);
        A2aEndpoint a2a = endpoint;
        if (a2a != null) {
            opening.a2a(call -> a2a.handle(new Rpc(call)));
        }
        try {
            opening.start(hub);
            server = opening;
        } finally {
            if (server == null) {
                opening.stop();
            }
        }
    }

    /** Host and port, or null when it is off. */
    @Nullable String address() {
        GrpcServer running = server;
        String host = config.listen().host();
        return running == null ? null : (host.contains(":") ? "[" + host + "]" : host) + ":" + running.port();
    }

    int connections() {
        GrpcServer running = server;
        return running == null ? 0 : running.connections();
    }

    void ready(boolean ready) {
        GrpcServer running = server;
        if (running != null) {
            running.ready(ready);
        }
    }

    void drain() {
        GrpcServer running = server;
        if (running != null) {
            running.drain();
        }
    }

    void stop() {
        GrpcServer running = server;
        if (running != null) {
            running.stop();
        }
    }

    private record Rpc(JsonCall call) implements A2aRpc {

        @Override
        public String method() {
            return call.method();
        }

        @Override
        public Json.Obj request() {
            return call.request();
        }

        @Override
        public @Nullable String header(String name) {
            return call.header(name);
        }

        @Override
        public Map<String, List<String>> query() {
            return Map.of();
        }

        @Override
        public Caller caller() {
            return call.caller();
        }

        @Override
        public void with(String name, String value) {
            call.with(name, value);
        }

        @Override
        public void answer(Json.Obj response) {
            call.answer(response);
        }

        @Override
        public void event(Json.Obj response) {
            call.event(response);
        }

        @Override
        public void end() {
            call.end();
        }

        @Override
        public void fail(String status, String text, Json.Arr details) {
            call.fail(status, text, details);
        }

        @Override
        public void whenLeft(Runnable task) {
            call.whenLeft(task);
        }
    }
}
