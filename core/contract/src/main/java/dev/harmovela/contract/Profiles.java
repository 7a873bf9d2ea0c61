package dev.harmovela.contract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Identifiers of the optional bundles of the protocol and what they depend on (§3). */
public final class Profiles {

    public static final String CORE = "harmovela.core.v1";
    public static final String DELIVERY = "harmovela.delivery.v1";
    public static final String SECURITY = "harmovela.security.v1";
    public static final String RUNTIME_SEMANTICS = "harmovela.runtime-semantics.v1";
    public static final String COORDINATION = "harmovela.coordination.v1";
    public static final String ADAPTATION = "harmovela.adaptation.v1";
    public static final String TRANSPORT_STDIO = "harmovela.transport.stdio.v1";
    public static final String TRANSPORT_WEBSOCKET = "harmovela.transport.websocket.v1";
    public static final String TRANSPORT_SSE = "harmovela.transport.sse.v1";
    public static final String TRANSPORT_GRPC = "harmovela.transport.grpc.v1";
    public static final String TRANSPORT_NATS = "harmovela.transport.nats.v1";
    public static final String TRANSPORT_KAFKA = "harmovela.transport.kafka.v1";
    public static final String TRANSPORT_REDIS_STREAMS = "harmovela.transport.redis-streams.v1";

    /** All identifiers, core first. */
    public static final List<String> ALL = List.of(
            CORE,
            DELIVERY,
            SECURITY,
            RUNTIME_SEMANTICS,
            COORDINATION,
            ADAPTATION,
            TRANSPORT_STDIO,
            TRANSPORT_WEBSOCKET,
            TRANSPORT_SSE,
            TRANSPORT_GRPC,
            TRANSPORT_NATS,
            TRANSPORT_KAFKA,
            TRANSPORT_REDIS_STREAMS);

    private static final Map<String, List<String>> DIRECT = Map.of(
            CORE, List.of(),
            COORDINATION, List.of(CORE, SECURITY),
            ADAPTATION, List.of(COORDINATION, SECURITY));

    private Profiles() {}

    /**
     * What both sides can do.
     *
     * @param agreed the intersection and core, in the order of the offer
     * @param missingRequired what keeps the session from becoming ready: required profiles outside the intersection and
     *     dependencies that are missing from it; empty when all is well
     */
    public record Negotiation(Set<String> agreed, List<String> missingRequired) {}

    /** The profiles and, transitively, what they depend on; an unknown identifier depends on core. */
    public static Set<String> closure(Collection<String> profiles) {
        Set<String> closed = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(profiles);
        while (!open.isEmpty()) {
            String profile = open.removeFirst();
            if (closed.add(profile)) {
                open.addAll(DIRECT.getOrDefault(profile, List.of(CORE)));
            }
        }
        return Collections.unmodifiableSet(closed);
    }

    /**
     * Agrees on profiles at the opening of a session; identifiers this hub does not know are no error unless
     * required.
     */
    public static Negotiation negotiate(
            Collection<String> offered, Collection<String> required, Collection<String> supportedByHub) {
        Set<String> agreed = new LinkedHashSet<>();
        agreed.add(CORE);
        for (String profile : offered) {
            if (supportedByHub.contains(profile)) {
                agreed.add(profile);
            }
        }
        Set<String> missing = new LinkedHashSet<>();
        for (String profile : required) {
            if (!agreed.contains(profile)) {
                missing.add(profile);
            }
        }
        for (String profile : closure(agreed)) {
            if (!agreed.contains(profile)) {
                missing.add(profile);
            }
        }
        return new Negotiation(Collections.unmodifiableSet(agreed), new ArrayList<>(missing));
    }
}
