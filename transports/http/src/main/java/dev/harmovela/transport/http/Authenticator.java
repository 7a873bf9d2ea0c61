package dev.harmovela.transport.http;

import dev.harmovela.spi.Caller;
import org.jspecify.annotations.Nullable;

/** Says who is behind a request. Called on the event loop, so it must not block. */
@FunctionalInterface
public interface Authenticator {

    /**
     * @param bearerToken what the {@code Authorization: Bearer} header carried, or null; never to be logged
     * @return who that is, or null when the request must be answered 401
     */
    @Nullable Caller authenticate(@Nullable String bearerToken);

    /** Lets anybody in who reaches the port: a development hub on loopback. */
    static Authenticator open() {
        return token -> Caller.open();
    }
}
