package dev.harmovela.dimension.governance;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the governance claims of an envelope as a policy question (§7, D35): {@code actor_id}, {@code
 * roles}, {@code
 * requested_action}, {@code tenant_id}, {@code target_tenant_id}. Pure and immutable.
 */
public final class Claims {

    private final Roles roles;

    public Claims(Roles roles) {
        this.roles = roles;
    }

    /**
     * The question arises when {@code requested_action} is present; reaching into another tenant is refused
     * without {@link
     * Roles#CROSS_ACCESS} in any case. Refusals in the order of §7.
     */
    public Verdict evaluate(Event event, Standing standing) {
        String actor = text(event, "actor_id");
        String action = text(event, "requested_action");
        String tenant = maybeText(event.tenantId());
        String target = maybeText(event.targetTenantId());
        List<String> held = held(event, standing);
        ProtocolError refusal;
        if (action == null) {
            boolean crossing = crosses(tenant, target, standing) && !allow(held, Roles.CROSS_ACCESS, standing);
            refusal = crossing ? foreign() : null;
        } else {
            refusal = refusal(actor, action, tenant, target, held, standing);
        }
        Outcome outcome = refusal != null ? Outcome.DENIED : action == null ? Outcome.NOT_ASKED : Outcome.ALLOWED;
        return new Verdict(outcome, refusal, actor, action, tenant, target, held);
    }

    private @Nullable ProtocolError refusal(
            @Nullable String actor,
            String action,
            @Nullable String tenant,
            @Nullable String target,
            List<String> held,
            Standing standing) {
        if (actor == null) {
            return ProtocolError.unauthorized("missing_identity", "requested_action needs an actor_id");
        }
        if (tenant == null || target == null) {
            String absent = tenant == null ? "tenant_id" : "target_tenant_id";
            return ProtocolError.unauthorized("missing_tenant", "requested_action needs a " + absent)
                    .with("path", absent);
        }
        if (!allow(held, action, standing)) {
            return ProtocolError.unauthorized("missing_role", "no role of the actor allows " + action)
                    .with("requested_action", action);
        }
        boolean crossing = crosses(tenant, target, standing) && !allow(held, Roles.CROSS_ACCESS, standing);
        return crossing ? foreign() : null;
    }

    /**
     * Whether the event leaves the sender's tenant; a tenant named in the envelope is the sender's only where it
     * is believed.
     */
    private static boolean crosses(@Nullable String tenant, @Nullable String target, Standing standing) {
        String home = standing.rolesBelieved() && tenant != null ? tenant : standing.tenant();
        return tenant != null && !tenant.equals(home) || target != null && !target.equals(home);
    }

    private static ProtocolError foreign() {
        return ProtocolError.unauthorized("tenant_access_denied", "another tenant needs " + Roles.CROSS_ACCESS);
    }

    private boolean allow(List<String> believed, String action, Standing standing) {
        return standing.rights().holds(action) || roles.allow(believed, action);
    }

    /** The roles an envelope names, where they are believed. */
    private static List<String> held(Event event, Standing standing) {
        if (!standing.rolesBelieved()) {
            return List.of();
        }
        List<String> held = new ArrayList<>();
        switch (event.member("roles")) {
            case Json.Str one -> held.add(one.value());
            case Json.Arr several -> {
                for (Json item : several.items()) {
                    if (item instanceof Json.Str role) {
                        held.add(role.value());
                    }
                }
            }
            case null, default -> {
                // Roles in any other form claim nothing.
            }
        }
        return held;
    }

    private static @Nullable String text(Event event, String member) {
        return event.member(member) instanceof Json.Str text ? maybeText(text.value()) : null;
    }

    private static @Nullable String maybeText(@Nullable String value) {
        return value == null || value.isBlank() ? null : value;
    }
}
