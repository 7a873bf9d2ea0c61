package dev.harmovela.bench;

import java.util.List;

/** Who takes part, and what durability its acknowledgement stands for. */
enum Contender {
    HUB("Harmovela", "forced before every acknowledgement"),
    REDIS_ALWAYS("Redis always", "Streams, appendfsync always: forced before the reply"),
    REDIS_EVERYSEC("Redis everysec", "Streams, appendfsync everysec: up to a second may be lost"),
    NATS_ALWAYS("JetStream always", "file store, sync_interval always: forced before the acknowledgement"),
    NATS_DEFAULT("JetStream default", "file store, forced every two minutes");

    /** Everybody, the hub first. */
    static final List<Contender> ALL = List.of(values());

    private final String title;
    private final String durability;

    Contender(String title, String durability) {
        this.title = title;
        this.durability = durability;
    }

    String title() {
        return title;
    }

    String durability() {
        return durability;
    }

    /** Whether an acknowledgement means that the event is on the disk. */
    boolean forced() {
        return this == HUB || this == REDIS_ALWAYS || this == NATS_ALWAYS;
    }

    /** Starts a server of this kind with a directory of its own. */
    ServerProcess start(Tools tools) {
        return switch (this) {
            case HUB -> Servers.hub(tools);
            case REDIS_ALWAYS -> Servers.redis(tools, "always");
            case REDIS_EVERYSEC -> Servers.redis(tools, "everysec");
            case NATS_ALWAYS -> Servers.nats(tools, "sync_interval: always");
            case NATS_DEFAULT -> Servers.nats(tools, "");
        };
    }

    Publisher publisher(Loop loop, int port) {
        return switch (this) {
            case HUB -> new HubPublisher(loop, port, "agent:publisher");
            case REDIS_ALWAYS, REDIS_EVERYSEC -> new RedisPublisher(loop, port);
            case NATS_ALWAYS, NATS_DEFAULT -> new NatsPublisher(loop, port);
        };
    }

    Consumer consumer(Loop loop, int port, int number) {
        return switch (this) {
            case HUB -> new HubConsumer(loop, port, "agent:consumer-" + number, "latest");
            case REDIS_ALWAYS, REDIS_EVERYSEC -> new RedisConsumer(loop, port, number);
            case NATS_ALWAYS, NATS_DEFAULT -> new NatsConsumer(loop, port, number);
        };
    }
}
