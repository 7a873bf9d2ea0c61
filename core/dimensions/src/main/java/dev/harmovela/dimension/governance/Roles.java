package dev.harmovela.dimension.governance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Roles and the actions they bundle, as data (§7). An action is a name or a glob in which {@code *} stands for
 * any run of
 * characters. {@link #CROSS_ACCESS} and {@link Actions#HUB_READ} are never meant by a glob: leaving the tenant is
 * granted by its name or not at all. Immutable.
 */
public final class Roles {

    /** The action that reaches into another tenant. */
    public static final String CROSS_ACCESS = "tenant.cross_access";

    private static final List<String> OPERATOR =
            List.of("event.subscribe", "event.publish", "task.submit", "task.manage");

    /** What an action of the role vocabulary means in scopes (D40). */
    private static final Map<String, List<String>> STANDS_FOR = Map.of(
            "event.publish", List.of("write:*", "send:*"),
            "event.subscribe", List.of("subscribe:*", "read:*"),
            "governance.audit.read", List.of(Actions.AUDIT_READ));

    /** The vocabulary other implementations know, and our own roles beyond it. */
    public static final Roles STANDARD = new Roles(Map.of())
            .with("viewer", List.of("event.subscribe"))
            .with("publisher", List.of("event.publish", "task.submit"))
            .with("operator", OPERATOR)
            .with("tenant-admin", plus(OPERATOR, "governance.audit.read", Actions.SESSION_READ, "dlq.*"))
            .with("cross-tenant-operator", plus(OPERATOR, CROSS_ACCESS))
            .with(
                    "supervisor",
                    List.of(
                            "event.subscribe",
                            "event.publish",
                            "task.*",
                            "delegation.*",
                            "command.*",
                            "query.*",
                            "budget.*",
                            Actions.SESSION_READ,
                            "dlq.*"))
            .with("admin", List.of("*"))
            .with("platform-admin", List.of("*", CROSS_ACCESS, Actions.HUB_READ));

    private final Map<String, List<String>> actions;

    private Roles(Map<String, List<String>> actions) {
        this.actions = actions;
    }

    private static List<String> plus(List<String> some, String... more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    /** These roles and one more, or another meaning for a name. */
    public Roles with(String role, List<String> itsActions) {
        Map<String, List<String>> more = new LinkedHashMap<>(actions);
        more.put(role, List.copyOf(itsActions));
        return new Roles(more);
    }

    /** Names of the roles, in the order they were defined. */
    public Set<String> names() {
        return new LinkedHashSet<>(actions.keySet());
    }

    /** Everything those roles grant, globs as they are and scopes spelled out; an unknown role grants nothing. */
    public Set<String> grants(Collection<String> roles) {
        Set<String> granted = new LinkedHashSet<>();
        for (String role : roles) {
            granted.addAll(spelledOut(actions.getOrDefault(role, List.of())));
        }
        return granted;
    }

    /** The actions and, behind each, the scopes it stands for (D40). */
    static Set<String> spelledOut(Collection<String> actions) {
        Set<String> all = new LinkedHashSet<>();
        for (String action : actions) {
            all.add(action);
            all.addAll(STANDS_FOR.getOrDefault(action, List.of()));
        }
        return all;
    }

    /** Whether one of the roles grants the action. */
    public boolean allow(Collection<String> roles, String action) {
        return covers(grants(roles), action);
    }

    /** Whether one of the granted actions or globs means this action. */
    public static boolean covers(Collection<String> granted, String action) {
        for (String grant : granted) {
            if (grant.equals(action) || !Actions.BY_NAME_ONLY.contains(action) && matches(grant, action)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the text fits the glob; the time taken is at most the product of the lengths. */
    static boolean matches(String glob, String text) {
        int at = 0;
        int star = -1;
        int resume = 0;
        int next = 0;
        while (at < text.length()) {
            if (next < glob.length() && glob.charAt(next) == '*') {
                star = next++;
                resume = at;
            } else if (next < glob.length() && glob.charAt(next) == text.charAt(at)) {
                next++;
                at++;
            } else if (star >= 0) {
                next = star + 1;
                at = ++resume;
            } else {
                return false;
            }
        }
        while (next < glob.length() && glob.charAt(next) == '*') {
            next++;
        }
        return next == glob.length();
    }
}
