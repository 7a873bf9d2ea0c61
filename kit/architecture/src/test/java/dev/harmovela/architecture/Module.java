package dev.harmovela.architecture;

import java.util.List;
import java.util.stream.Stream;

/**
 * The arrows between modules: the one table that says who may depend on whom.
 *
 * <p>A change here needs a decision record under {@code docs/decisions} in the same commit. The floor is somewhat
 * below
 * the number of classes the module held when it was last raised; it keeps a rule from passing because it looked at
 * nothing.
 */
record Module(String name, String packages, int floor, List<String> ours, List<String> libraries) {

    private static final List<String> NO_LIBRARY = List.of();

    static final List<Module> ALL = List.of(
            module("contract", "dev.harmovela.contract..", 60, uses(), NO_LIBRARY),
            module("dimensions", "dev.harmovela.dimension..", 95, uses("contract"), NO_LIBRARY),
            module("spi", "dev.harmovela.spi..", 25, uses("contract"), NO_LIBRARY),
            module(
                    "harness",
                    "dev.harmovela.harness..",
                    110,
                    uses("contract", "dimensions", "spi"),
                    List.of("org.HdrHistogram..")),
            module("store", "dev.harmovela.store..", 38, uses("contract", "spi"), List.of("org.sqlite..")),
            module("transport-stdio", "dev.harmovela.transport.stdio..", 3, uses("contract", "spi"), NO_LIBRARY),
            module(
                    "transport-http",
                    "dev.harmovela.transport.http..",
                    35,
                    uses("contract", "spi"),
                    List.of("io.netty..")),
            module(
                    "proto",
                    "dev.harmovela.proto..",
                    7,
                    uses("contract"),
                    List.of("com.google.protobuf..", "com.google.rpc..")),
            module(
                    "transport-grpc",
                    "dev.harmovela.transport.grpc..",
                    20,
                    uses("contract", "spi", "proto"),
                    List.of("io.grpc..", "io.netty..", "com.google.protobuf..")),
            module("transport-link", "dev.harmovela.transport.link..", 25, uses("contract", "spi"), NO_LIBRARY),
            module(
                    "transport-redis",
                    "dev.harmovela.transport.redis..",
                    3,
                    uses("contract", "spi", "transport-link"),
                    List.of("io.lettuce..")),
            module(
                    "transport-nats",
                    "dev.harmovela.transport.nats..",
                    2,
                    uses("contract", "spi", "transport-link"),
                    List.of("io.nats..")),
            module(
                    "transport-kafka",
                    "dev.harmovela.transport.kafka..",
                    2,
                    uses("contract", "spi", "transport-link"),
                    List.of("org.apache.kafka..")),
            module("client", "dev.harmovela.client..", 14, uses("contract"), NO_LIBRARY),
            module(
                    "grpc-client",
                    "dev.harmovela.grpc..",
                    8,
                    uses("contract"),
                    List.of("io.grpc..", "com.google.protobuf..")),
            module("a2a", "dev.harmovela.a2a..", 20, uses("contract", "spi"), NO_LIBRARY),
            module(
                    "runtime",
                    "dev.harmovela.runtime..",
                    30,
                    uses(
                            "contract",
                            "dimensions",
                            "spi",
                            "harness",
                            "store",
                            "transport-stdio",
                            "transport-http",
                            "transport-grpc",
                            "transport-link",
                            "transport-redis",
                            "transport-nats",
                            "transport-kafka",
                            "client",
                            "a2a"),
                    List.of("org.snakeyaml.engine..", "com.sun.management..", "io.micrometer..", "com.nimbusds..")),
            module(
                    "cli",
                    "dev.harmovela.cli..",
                    42,
                    uses("contract", "client", "runtime", "conformance"),
                    List.of("picocli..")),
            module(
                    "testkit",
                    "dev.harmovela.testkit..",
                    38,
                    uses("contract", "dimensions", "spi", "harness", "store", "transport-link"),
                    List.of("org.junit.jupiter..", "org.assertj..")),
            module(
                    "conformance",
                    "dev.harmovela.conformance..",
                    30,
                    uses("contract", "client", "proto", "grpc-client"),
                    List.of(
                            "com.networknt..",
                            "tools.jackson..",
                            "com.fasterxml.jackson.annotation..",
                            "com.sun.net.httpserver..")),
            module(
                    "bench",
                    "dev.harmovela.bench..",
                    30,
                    uses("contract", "spi", "harness", "store", "client", "runtime"),
                    List.of("org.HdrHistogram..")));

    static Module named(String name) {
        return ALL.stream()
                .filter(module -> module.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no module named " + name));
    }

    /** Everything a class of this module may name. */
    String[] allowed() {
        Stream<String> ours = this.ours.stream().map(name -> named(name).packages);
        Stream<String> base = Stream.of(packages, "java..", "javax..", "org.jspecify.annotations..");
        return Stream.of(base, ours, libraries.stream()).flatMap(s -> s).toArray(String[]::new);
    }

    private static Module module(String name, String packages, int floor, List<String> ours, List<String> libraries) {
        return new Module(name, packages, floor, ours, libraries);
    }

    private static List<String> uses(String... modules) {
        return List.of(modules);
    }
}
