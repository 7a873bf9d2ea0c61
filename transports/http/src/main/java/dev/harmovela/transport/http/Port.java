package dev.harmovela.transport.http;

import dev.harmovela.contract.json.Json;
import dev.harmovela.spi.Authenticator;
import dev.harmovela.spi.Hub;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What all connections of one port share. On the loop only, once the port is open, but for health and readiness. */
final class Port {

    private final HttpConfig config;
    private final Guard guard;
    private final Router router = new Router();
    private final Admission admission;
    private final FrameDecoder.Scratch scratch = new FrameDecoder.Scratch();
    private @Nullable Hub hub;
    private volatile Json.Obj about = Json.Obj.of();
    private volatile Readiness readiness = Readiness.of(true);
    private volatile boolean draining;

    Port(HttpConfig config, Authenticator authenticator) {
        this.config = config;
        this.guard = new Guard(config, authenticator);
        this.admission = new Admission(config.limits(), System.nanoTime());
    }

    void serve(Hub served) {
        hub = served;
    }

    void describe(Json.Obj process) {
        about = process;
    }

    Json.Obj about() {
        return about;
    }

    void readiness(Readiness now) {
        readiness = now;
    }

    Readiness readiness() {
        return readiness;
    }

    void drain() {
        draining = true;
    }

    boolean ready() {
        return readiness.ready() && !draining;
    }

    boolean draining() {
        return draining;
    }

    HttpConfig config() {
        return config;
    }

    Guard guard() {
        return guard;
    }

    Router router() {
        return router;
    }

    Admission admission() {
        return admission;
    }

    FrameDecoder.Scratch scratch() {
        return scratch;
    }

    Hub hub() {
        return Objects.requireNonNull(hub, "the port opens with its hub");
    }
}
