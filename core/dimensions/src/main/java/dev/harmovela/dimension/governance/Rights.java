package dev.harmovela.dimension.governance;

import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.EventType;
import dev.harmovela.contract.SubscriptionFilter;
import dev.harmovela.contract.TypePattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may do, compiled from what it was granted (§7, D25, D40). What was not granted is denied.
 *
 * <p>Grants are actions or globs of them, and the scopes {@code write:}, {@code read:}, {@code subscribe:} and {@code
 * send:}. A glob of actions grants no scope, but {@code *} alone grants every action and scope. What an event costs is
 * a bit per type; nothing is allocated. Immutable and thread-safe.
 */
public final class Rights {

    private static final String EVERYTHING = "*";

    private final EventRegistry registry;
    private final long[] writes;
    private final long[] reads;
    private final List<Layer> layers;

    private Rights(EventRegistry registry, long[] writes, long[] reads, List<Layer> layers) {
        this.registry = registry;
        this.writes = writes;
        this.reads = reads;
        this.layers = List.copyOf(layers);
    }

    /** The rights that the grants give, roles being resolved already. */
    public static Rights of(Collection<String> grants, EventRegistry registry) {
        return compiled(new Layer(new Grants(grants), Layer.Kind.GRANTED), registry);
    }

    private static Rights compiled(Layer layer, EventRegistry registry) {
        long[] writes = new long[(registry.size() >> 6) + 1];
        long[] reads = new long[writes.length];
        for (EventType type : registry.types()) {
            if (layer.mayWrite(type)) {
                set(writes, type.index());
            }
            if (layer.mayRead(type)) {
                set(reads, type.index());
            }
        }
        return new Rights(registry, writes, reads, List.of(layer));
    }

    /**
     * These rights as far as the declaration of a session names them too (D35). A declaration that names no {@code
     * send:} or {@code read:} scope leaves those as they are.
     */
    public Rights narrowedTo(Collection<String> declared) {
        Rights other = compiled(new Layer(new Grants(declared), Layer.Kind.DECLARED), registry);
        List<Layer> both = new ArrayList<>(layers);
        both.addAll(other.layers);
        return new Rights(registry, and(writes, other.writes), and(reads, other.reads), both);
    }

    private static void set(long[] bits, int index) {
        bits[index >> 6] |= 1L << index;
    }

    private static boolean get(long[] bits, int index) {
        return index >= 0 && (bits[index >> 6] >>> index & 1) != 0;
    }

    private static long[] and(long[] some, long[] others) {
        long[] both = new long[some.length];
        for (int i = 0; i < both.length; i++) {
            both[i] = some[i] & others[i];
        }
        return both;
    }

    /** Whether an event of the type may be sent: the write scope of its family, or what its {@link EventRule} asks. */
    public boolean mayWrite(EventType type) {
        return get(writes, type.index());
    }

    /** What is missing to send an event of the type: an action or a scope. */
    public String missingToWrite(EventType type) {
        EventRule rule = EventRule.of(type);
        return rule == null || rule.action() == null ? "write:" + type.family() : rule.action();
    }

    /** Whether events of the type may be read. */
    public boolean mayRead(EventType type) {
        return get(reads, type.index());
    }

    /** Whether the scope {@code read:<family>} is held. */
    public boolean mayRead(String family) {
        for (Layer layer : layers) {
            if (!layer.reads(family)) {
                return false;
            }
        }
        return true;
    }

    /** Whether events may be addressed to the identity. */
    public boolean maySend(String identity) {
        for (int i = 0; i < layers.size(); i++) {
            if (!layers.get(i).sends(identity)) {
                return false;
            }
        }
        return true;
    }

    /** Whether everything the pattern can match lies within one of the granted {@code subscribe:} patterns. */
    public boolean maySubscribe(TypePattern asked) {
        for (Layer layer : layers) {
            if (!layer.subscribes(asked)) {
                return false;
            }
        }
        return true;
    }

    /** The first scope or action that is missing for a filter, or null when all of it may be had (D25). */
    public @Nullable String missingToSubscribe(SubscriptionFilter filter) {
        List<TypePattern> asked = filter.types().isEmpty() ? List.of(TypePattern.parse(EVERYTHING)) : filter.types();
        for (TypePattern pattern : asked) {
            if (!maySubscribe(pattern)) {
                return "subscribe:" + pattern;
            }
        }
        for (TypePattern pattern : asked) {
            for (EventType type : registry.types()) {
                if (pattern.brings(type) && !mayRead(type)) {
                    EventRule rule = EventRule.of(type);
                    String action = rule == null ? null : rule.reading();
                    return action == null ? "read:" + type.family() : action;
                }
            }
        }
        return null;
    }

    /** Whether the action is granted, by its name or by a glob that may mean it. */
    public boolean holds(String action) {
        for (Layer layer : layers) {
            if (!layer.grants.holds(action)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a right, action or scope, is held. */
    public boolean has(String right) {
        for (Layer layer : layers) {
            if (!layer.has(right)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the glob of identities means this one. */
    public static boolean covers(String glob, String identity) {
        return Roles.matches(glob, identity);
    }

    /** What was granted, in the narrowest form known: what a session is told (§3). */
    public List<String> scopes() {
        Set<String> shown = new LinkedHashSet<>();
        for (String grant : layers.getFirst().grants.given()) {
            if (layers.size() == 1 || layers.getLast().grants.holdsScope(grant)) {
                shown.add(grant);
            }
        }
        return List.copyOf(shown);
    }

    /** One source of rights; all of them must agree. */
    private record Layer(Grants grants, Kind kind) {

        enum Kind {
            GRANTED,
            DECLARED
        }

        boolean sends(String identity) {
            return kind == Kind.DECLARED && !grants.namesSend() || grants.sends(identity);
        }

        boolean reads(String family) {
            return kind == Kind.DECLARED && !grants.namesRead() || grants.reads(family);
        }

        boolean subscribes(TypePattern asked) {
            return grants.subscribes(asked);
        }

        /** A declaration that is silent about a kind of scope takes nothing of it away; a grant that is gives none. */
        boolean has(String right) {
            if (right.startsWith(Grants.READ)) {
                return reads(right.substring(Grants.READ.length()));
            }
            return right.startsWith(Grants.SEND)
                    ? sends(right.substring(Grants.SEND.length()))
                    : grants.holdsScope(right);
        }

        boolean mayWrite(EventType type) {
            EventRule rule = EventRule.of(type);
            if (rule == null) {
                return false;
            }
            return switch (rule.sending()) {
                case OWN -> true;
                case HUB -> false;
                case WRITER -> grants.writes(type.family());
                case ACTOR -> holdsOf(rule.action());
                case ACTOR_OR_WRITER -> holdsOf(rule.action()) || grants.writes(type.family());
            };
        }

        boolean mayRead(EventType type) {
            EventRule rule = EventRule.of(type);
            if (rule == null) {
                return false;
            }
            return rule.reading() == null ? reads(type.family()) : kind == Kind.DECLARED || holdsOf(rule.reading());
        }

        private boolean holdsOf(@Nullable String action) {
            return action != null && grants.holds(action);
        }
    }
}
