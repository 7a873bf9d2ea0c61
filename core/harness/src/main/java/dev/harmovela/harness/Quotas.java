package dev.harmovela.harness;

import dev.harmovela.contract.ErrorCode;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What tenants may use, and what they have used of it. There is state for the tenants that have a policy, and for no
 * others. One owner, not thread-safe.
 */
final class Quotas {

    private static final long SECOND = 1000;

    private final Map<String, Quota> byTenant = new HashMap<>();

    /** One tenant's bounds, with the events it may still publish now. */
    private static final class Quota {
        private TenantPolicy policy;
        private double left;
        private long filledAt;

        Quota(TenantPolicy policy) {
            this.policy = policy;
            this.left = policy.limits().publishPerSecond();
        }

        /** Milliseconds to wait, 0 when an event may be published, which is then counted. */
        long take(long now) {
            long rate = policy.limits().publishPerSecond();
            if (rate == Long.MAX_VALUE) {
                return 0;
            }
            left = Math.min(rate, left + (double) (now - filledAt) * rate / SECOND);
            filledAt = now;
            if (left >= 1) {
                left--;
                return 0;
            }
            return Math.max(1, (long) Math.ceil((1 - left) * SECOND / rate));
        }
    }

    /** From now on these policies hold; what was used is not forgotten. */
    void use(Map<String, TenantPolicy> tenants) {
        byTenant.keySet().retainAll(tenants.keySet());
        tenants.forEach((name, policy) -> byTenant.computeIfAbsent(name, _ -> new Quota(policy)).policy = policy);
    }

    TenantPolicy of(String tenant) {
        Quota quota = byTenant.isEmpty() ? null : byTenant.get(tenant);
        return quota == null ? TenantPolicy.NONE : quota.policy;
    }

    /** Why an event of the tenant is not taken now, or null; what is taken counts. */
    @Nullable ProtocolError publishing(String tenant, long now) {
        Quota quota = byTenant.isEmpty() ? null : byTenant.get(tenant);
        long wait = quota == null ? 0 : quota.take(now);
        return wait == 0 ? null : limited("publish_per_second", wait);
    }

    /** The refusal of somebody who has used up a bound of its tenant. */
    static ProtocolError limited(String limit, long retryAfterMillis) {
        return ProtocolError.because(ErrorCode.RATE_LIMITED, "tenant_limit", "the tenant's limit is reached: " + limit)
                .with("limit", limit)
                .with("retry_after_ms", new Json.Num(Long.toString(retryAfterMillis)));
    }
}
