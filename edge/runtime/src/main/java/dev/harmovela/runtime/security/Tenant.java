package dev.harmovela.runtime.security;

import dev.harmovela.contract.json.Json;
import dev.harmovela.harness.TenantPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A tenant of the security file.
 *
 * @param name its name
 * @param policy its limits and redactions
 */
public record Tenant(String name, TenantPolicy policy) {

    /** The tenant of that name, defined as in the file. */
    public static Tenant parse(String name, Json.Obj definition) throws SecurityProblem {
        return SecurityReader.tenant(name, definition);
    }

    /** As the file has it; a limit that is not set is left out. */
    public Json.Obj toJson() {
        Json.Builder limits = Json.Obj.builder();
        TenantPolicy.Limits set = policy.limits();
        limit(limits, "sessions", set.sessions());
        limit(limits, "subscriptions", set.subscriptions());
        limit(limits, "in_flight", set.inFlight());
        limit(limits, "in_flight_bytes", set.inFlightBytes());
        limit(limits, "publish_per_second", set.publishPerSecond());
        List<Json> redact = new ArrayList<>();
        for (TenantPolicy.Redaction rule : policy.redactions()) {
            redact.add(Json.Obj.builder()
                    .put("types", rule.types().stream().map(Object::toString).toList())
                    .put("members", rule.members())
                    .put("unless", rule.unless())
                    .build());
        }
        Json.Obj bounds = limits.build();
        return Json.Obj.builder()
                .put("limits", bounds.isEmpty() ? null : bounds)
                .put("redact", redact.isEmpty() ? null : new Json.Arr(redact))
                .build();
    }

    private static void limit(Json.Builder into, String name, long value) {
        if (value != Long.MAX_VALUE) {
            into.put(name, value);
        }
    }
}
