package dev.harmovela.dimension;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.ProtocolError;
import dev.harmovela.contract.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent declared that it does at the most, enforced where adaptation is agreed on (§11, L1 at L3).
 * A list that is empty bounds nothing, a blocklist wins over everything. Immutable.
 *
 * @param families event families, or globs that end in {@code *}
 * @param toolDomains tools or domains of tools, likewise
 * @param targets identities, likewise
 * @param maxTasks live tasks that it owns at a time, {@link Long#MAX_VALUE} for no bound
 */
public record Allowance(
        List<String> families,
        List<String> toolDomains,
        List<String> targets,
        List<String> blockedFamilies,
        List<String> blockedTools,
        long maxTasks) {

    /** What capabilities declare, null when they declare nothing of it. */
    public static @Nullable Allowance of(Json.Obj capabilities) {
        Json.Obj allowed = capabilities.object("allowed_actions");
        if (allowed == null) {
            return null;
        }
        Long most = allowed.integer("max_concurrent_tasks");
        return new Allowance(
                allowed.strings("event_families"),
                allowed.strings("tool_domains"),
                allowed.strings("target_identities"),
                allowed.strings("blocklisted_families"),
                allowed.strings("blocklisted_tools"),
                most == null ? Long.MAX_VALUE : most);
    }

    /**
     * Why an event may not be sent, null when it may.
     *
     * @param owned live tasks that the sender owns already
     */
    public @Nullable ProtocolError refusal(Event event, long owned) {
        String family = event.type().family();
        if (any(blockedFamilies, family)) {
            return barred("blocklisted_family", "capabilities.allowed_actions.blocklisted_families", family);
        }
        if (!families.isEmpty() && !any(families, family)) {
            return barred("family_not_allowed", "capabilities.allowed_actions.event_families", family);
        }
        String target = event.target();
        if (target != null && !targets.isEmpty() && !target.equals(Proposal.HUB) && !any(targets, target)) {
            return barred("target_not_allowed", "capabilities.allowed_actions.target_identities", target);
        }
        if (event.type().name().equals("tool.call.requested")) {
            return tool(event);
        }
        boolean takes = event.type().name().equals("task.accepted")
                || event.type().name().equals("task.started");
        return takes && owned >= maxTasks
                ? barred(
                        "too_many_tasks", "capabilities.allowed_actions.max_concurrent_tasks", String.valueOf(maxTasks))
                : null;
    }

    private @Nullable ProtocolError tool(Event event) {
        String tool = event.payload().string("tool");
        String domain = event.payload().string("tool_domain");
        if (tool == null) {
            String target = event.target();
            tool = target != null && target.startsWith("tool:") ? target.substring("tool:".length()) : "";
        }
        if (domain == null) {
            domain = tool.contains(".") ? tool.substring(0, tool.indexOf('.')) : tool;
        }
        if (any(blockedTools, tool) || any(blockedTools, domain)) {
            return barred("blocklisted_tool", "capabilities.allowed_actions.blocklisted_tools", tool);
        }
        return toolDomains.isEmpty() || any(toolDomains, tool) || any(toolDomains, domain)
                ? null
                : barred("tool_not_allowed", "capabilities.allowed_actions.tool_domains", tool);
    }

    private static boolean any(List<String> names, String name) {
        for (String one : names) {
            boolean glob = one.endsWith("*");
            if (glob ? name.startsWith(one.substring(0, one.length() - 1)) : name.equals(one)) {
                return true;
            }
        }
        return false;
    }

    private static ProtocolError barred(String reason, String path, String got) {
        return ProtocolError.unauthorized(reason, "the session declared that it does not do this")
                .with("path", path)
                .with("got", got);
    }
}
