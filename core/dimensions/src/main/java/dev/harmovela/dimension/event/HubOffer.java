package dev.harmovela.dimension.event;

import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.json.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the hub brings to a negotiation (§3).
 *
 * @param profiles full identifiers of the profiles it speaks
 * @param transports short names of the transports that are on
 * @param features optional features it grants when asked
 * @param maxPayloadBytes largest event it takes
 * @param minHeartbeatMillis smallest heartbeat interval it agrees to
 * @param maxHeartbeatMillis largest one
 * @param policy the hub's own bounds for agents (§11), empty when it sets none
 * @param authRequired whether a credential is needed
 * @param scopes what the credential at hand grants
 * @param implementation {@code name} and {@code version} of the hub, told to who asks for its capabilities; empty
 *     when
 *     it tells none
 */
public record HubOffer(
        Set<String> profiles,
        List<String> transports,
        Set<String> features,
        int maxPayloadBytes,
        long minHeartbeatMillis,
        long maxHeartbeatMillis,
        Json.Obj policy,
        boolean authRequired,
        List<String> scopes,
        Json.Obj implementation) {

    /** The same offer of a hub that says which product it is. */
    public HubOffer madeBy(String name, String version) {
        return new HubOffer(
                profiles,
                transports,
                features,
                maxPayloadBytes,
                minHeartbeatMillis,
                maxHeartbeatMillis,
                policy,
                authRequired,
                scopes,
                Json.Obj.builder().put("name", name).put("version", version).build());
    }

    /** The same offer without one of its features. */
    public HubOffer without(String feature) {
        Set<String> fewer = new LinkedHashSet<>(features);
        fewer.remove(feature);
        return new HubOffer(
                profiles,
                transports,
                fewer,
                maxPayloadBytes,
                minHeartbeatMillis,
                maxHeartbeatMillis,
                policy,
                authRequired,
                scopes,
                implementation);
    }

    /** The same offer with other profiles and transports. */
    public HubOffer over(Set<String> otherProfiles, List<String> otherTransports) {
        return new HubOffer(
                otherProfiles,
                otherTransports,
                features,
                maxPayloadBytes,
                minHeartbeatMillis,
                maxHeartbeatMillis,
                policy,
                authRequired,
                scopes,
                implementation);
    }

    /**
     * What is offered to somebody whose credential was checked: the security profile holds for that session, and with
     * it those that depend on it (§3).
     */
    public HubOffer secured(List<String> granted) {
        Set<String> more = new LinkedHashSet<>(profiles);
        more.addAll(List.of(Profiles.SECURITY, Profiles.COORDINATION, Profiles.ADAPTATION));
        return new HubOffer(
                more,
                transports,
                features,
                maxPayloadBytes,
                minHeartbeatMillis,
                maxHeartbeatMillis,
                policy,
                true,
                granted,
                implementation);
    }
}
