package dev.harmovela.runtime.security;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.dimension.governance.Rights;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether names and grants of a security file mean anything; a scope that can match nothing is a slip of the pen. */
final class GrantCheck {

    private static final List<String> PREFIXES =
            List.of("agent:", "tool:", "memory:", "context:", "environment:", "harness:", "runtime:");
    private static final Set<String> HUB = Set.of("harness:harmovela", "harness:adaptation");

    private final Set<String> families = new TreeSet<>();

    GrantCheck(EventRegistry registry) {
        for (EventType type : registry.types()) {
            families.add(type.family());
        }
    }

    List<String> all(String at, List<String> grants) throws SecurityProblem {
        for (String grant : grants) {
            one(at, grant);
        }
        return grants;
    }

    String one(String at, String grant) throws SecurityProblem {
        int colon = grant.indexOf(':');
        String kind = colon < 0 ? "" : grant.substring(0, colon);
        String what = grant.substring(colon + 1);
        switch (kind) {
            case "write", "read" -> family(at, grant, what);
            case "send" -> identities(at, what);
            case "subscribe" -> {
                String problem = TypePattern.problem(what);
                if (problem != null) {
                    throw new SecurityProblem(at + ": " + grant + ": " + problem);
                }
            }
            default -> {
                if (!grant.matches("\\*|[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*(\\.\\*)?")) {
                    throw new SecurityProblem(at + ": '" + grant
                            + "' is neither an action (task.submit, task.*) nor a scope (write:, read:,"
                            + " subscribe:, send:)");
                }
            }
        }
        return grant;
    }

    private void family(String at, String grant, String glob) throws SecurityProblem {
        for (String family : families) {
            if (Rights.covers(glob, family)) {
                return;
            }
        }
        throw new SecurityProblem(
                at + ": " + grant + " matches no family of events; they are " + String.join(", ", families));
    }

    static void identity(String at, String identity) throws SecurityProblem {
        String problem = identityProblem(identity);
        if (problem != null) {
            throw new SecurityProblem(at + ": " + problem);
        }
    }

    /** Why nobody can be called that, or null. */
    static @Nullable String identityProblem(String identity) {
        boolean named = PREFIXES.stream().anyMatch(identity::startsWith)
                && identity.substring(identity.indexOf(':') + 1).matches("[A-Za-z0-9][A-Za-z0-9._@/-]{0,127}");
        return named && !HUB.contains(identity)
                ? null
                : "'" + identity + "' is no identity: write agent:name, tool:name …";
    }

    static void identities(String at, String glob) throws SecurityProblem {
        if (!glob.matches("[A-Za-z0-9._@/:*-]{1,128}")) {
            throw new SecurityProblem(at + ": '" + glob + "' is no glob of identities: write agent:* or agent:name");
        }
    }

    static void tenant(String at, String name) throws SecurityProblem {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new SecurityProblem(at + ": a tenant is named by letters, digits, dot, dash and underscore");
        }
    }

    static void role(String at, String name) throws SecurityProblem {
        if (!name.matches("[a-z][a-z0-9._-]{0,63}")) {
            throw new SecurityProblem(at + ": a role is named by small letters, digits, dot, dash and underscore");
        }
    }
}
