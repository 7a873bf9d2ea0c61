package dev.harmovela.client;

import java.net.URI;

/** Turns the address of a hub into those of its bindings (§13). */
final class Addresses {

    private static final String PATH = "/harmovela";

    private Addresses() {}

    /** The WebSocket address: {@code http} becomes {@code ws}, a missing path becomes the protocol's. */
    static URI webSocket(URI hub) {
        String scheme = isSecure(hub) ? "wss" : "ws";
        String path = isBare(hub) ? PATH : hub.getRawPath();
        return URI.create(scheme + "://" + hub.getRawAuthority() + path);
    }

    /** Resolves {@code path} against the root of the hub. */
    static URI http(URI hub, String path) {
        String scheme = isSecure(hub) ? "https" : "http";
        return URI.create(scheme + "://" + hub.getRawAuthority() + (path.startsWith("/") ? path : "/" + path));
    }

    private static boolean isSecure(URI hub) {
        return "https".equals(hub.getScheme()) || "wss".equals(hub.getScheme());
    }

    private static boolean isBare(URI hub) {
        return hub.getRawPath() == null
                || hub.getRawPath().isEmpty()
                || hub.getRawPath().equals("/");
    }
}
