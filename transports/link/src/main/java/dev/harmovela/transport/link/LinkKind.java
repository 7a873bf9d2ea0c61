package dev.harmovela.transport.link;

import org.jspecify.annotations.Nullable;

/** Brokers that a link can lead to. */
public enum LinkKind {
    NATS("nats", Routing.MAPPED),
    KAFKA("kafka", Routing.SINGLE),
    REDIS_STREAMS("redis-streams", Routing.SINGLE);

    private final String wire;
    private final Routing routing;

    LinkKind(String wire, Routing routing) {
        this.wire = wire;
        this.routing = routing;
    }

    /** Short name of its transport profile. */
    public String wire() {
        return wire;
    }

    /** How names are chosen where a link does not say. */
    public Routing defaultRouting() {
        return routing;
    }

    /** The kind of that name, or null. */
    public static @Nullable LinkKind ofWire(String wire) {
        for (LinkKind kind : values()) {
            if (kind.wire.equals(wire)) {
                return kind;
            }
        }
        return null;
    }

    /** The kind that a scheme of an address means, or null. */
    public static @Nullable LinkKind ofScheme(String scheme) {
        return switch (scheme) {
            case "nats", "tls" -> NATS;
            case "kafka", "kafkas" -> KAFKA;
            case "redis", "rediss" -> REDIS_STREAMS;
            default -> null;
        };
    }
}
