package dev.harmovela.dimension.governance;

import dev.harmovela.contract.TypePattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Actions and scopes as they were granted, sorted by what they are about. Immutable. */
final class Grants {

    static final String WRITE = "write:";
    static final String READ = "read:";
    static final String SUBSCRIBE = "subscribe:";
    static final String SEND = "send:";

    private static final String EVERYTHING = "*";

    private final List<String> given;
    private final List<String> actions = new ArrayList<>();
    private final List<String> writes = new ArrayList<>();
    private final List<String> reads = new ArrayList<>();
    private final List<String> sends = new ArrayList<>();
    private final List<TypePattern> subscribes = new ArrayList<>();
    private final boolean everything;

    Grants(Collection<String> grants) {
        this.given = List.copyOf(Roles.spelledOut(grants));
        this.everything = given.contains(EVERYTHING);
        for (String grant : given) {
            if (grant.startsWith(WRITE)) {
                writes.add(grant.substring(WRITE.length()));
            } else if (grant.startsWith(READ)) {
                reads.add(grant.substring(READ.length()));
            } else if (grant.startsWith(SEND)) {
                sends.add(grant.substring(SEND.length()));
            } else if (grant.startsWith(SUBSCRIBE)) {
                String pattern = grant.substring(SUBSCRIBE.length());
                if (TypePattern.problem(pattern) == null) {
                    subscribes.add(TypePattern.parse(pattern));
                }
            } else {
                actions.add(grant);
            }
        }
    }

    List<String> given() {
        return given;
    }

    boolean holds(String action) {
        return Roles.covers(actions, action);
    }

    /** Whether a grant of somebody else, action or scope, is within these. */
    boolean holdsScope(String grant) {
        if (grant.startsWith(WRITE)) {
            return writes(grant.substring(WRITE.length()));
        }
        if (grant.startsWith(READ)) {
            return !namesRead() || reads(grant.substring(READ.length()));
        }
        if (grant.startsWith(SEND)) {
            return !namesSend() || sends(grant.substring(SEND.length()));
        }
        if (grant.startsWith(SUBSCRIBE)) {
            String pattern = grant.substring(SUBSCRIBE.length());
            return TypePattern.problem(pattern) == null && subscribes(TypePattern.parse(pattern));
        }
        return holds(grant);
    }

    boolean writes(String family) {
        return everything || any(writes, family);
    }

    boolean reads(String family) {
        return everything || any(reads, family);
    }

    boolean sends(String identity) {
        return everything || any(sends, identity);
    }

    boolean subscribes(TypePattern asked) {
        if (everything) {
            return true;
        }
        for (TypePattern granted : subscribes) {
            if (granted.covers(asked)) {
                return true;
            }
        }
        return false;
    }

    boolean namesSend() {
        return !sends.isEmpty();
    }

    boolean namesRead() {
        return !reads.isEmpty();
    }

    private static boolean any(List<String> globs, String text) {
        for (int i = 0; i < globs.size(); i++) {
            if (Roles.matches(globs.get(i), text)) {
                return true;
            }
        }
        return false;
    }
}
