package dev.harmovela.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Nobody answers at an address, or whoever answers does not speak the protocol. */
public final class NotReachable extends IOException {

    private static final long serialVersionUID = 1L;

    private final URI address;

    NotReachable(URI address, String reason, Throwable cause) {
        super(address + " can not be reached: " + reason, cause);
        this.address = address;
    }

    /** The address that was tried. */
    public URI address() {
        return address;
    }

    /** Names the innermost reason there is. */
    static NotReachable of(URI address, Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && (cause.getMessage() == null || wraps(cause))) {
            cause = cause.getCause();
        }
        if (cause instanceof WebSocketHandshakeException refused) {
            return new NotReachable(
                    address,
                    "the handshake was answered " + refused.getResponse().statusCode(),
                    failure);
        }
        String text = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new NotReachable(address, text, failure);
    }

    private static boolean wraps(Throwable failure) {
        return failure instanceof CompletionException || failure instanceof ExecutionException;
    }
}
