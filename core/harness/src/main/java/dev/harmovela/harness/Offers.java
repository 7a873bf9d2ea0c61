package dev.harmovela.harness;

import dev.harmovela.contract.Profiles;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.adaptation.Adaptation;
import dev.harmovela.dimension.event.HubOffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Builds the hub's side of a negotiation. */
final class Offers {

    private Offers() {}

    static HubOffer of(List<String> transports, int maxPayloadBytes, Json.Obj policy) {
        Set<String> profiles =
                new LinkedHashSet<>(List.of(Profiles.CORE, Profiles.DELIVERY, Profiles.RUNTIME_SEMANTICS));
        for (String transport : transports) {
            profiles.add("harmovela.transport." + transport + ".v1");
        }
        return new HubOffer(
                profiles,
                transports,
                new LinkedHashSet<>(List.of("replay", "resume", Adaptation.ENFORCE)),
                maxPayloadBytes,
                100,
                300_000,
                policy,
                false,
                List.of(),
                Json.Obj.of());
    }
}
