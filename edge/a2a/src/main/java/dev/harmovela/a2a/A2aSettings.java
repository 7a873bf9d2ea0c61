package dev.harmovela.a2a;

import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How A2A is served.
 *
 * @param url the hub's address as clients reach it, asked for with every card
 * @param grpc host and port of the gRPC binding, asked for with every card; null where it is not served
 * @param defaultAgent the agent whose card the origin shows ({@code agent:name}), or null
 * @param loginNeeded whether callers need a token, which the card then says
 * @param legacy whether the dialects of A2A 0.3 and of the mesh are served beside 1.0
 * @param experimental whether the experimental interface 1.2 is served
 * @param localHooks whether push notifications may go to this machine: for development
 */
public record A2aSettings(
        Supplier<URI> url,
        Supplier<@Nullable String> grpc,
        @Nullable String defaultAgent,
        boolean loginNeeded,
        boolean legacy,
        boolean experimental,
        boolean localHooks) {}
