package dev.harmovela.contract;

/**
 * A registered event type; one instance per registry.
 *
 * @param name the full name, {@code task.cancel.requested}
 * @param family what stands before the action, {@code task} or {@code tool.call}
 * @param index position in the registry, dense from 0; the standard types have the same one in every registry
 * @param hubOnly whether only the hub may originate it on the network (D15)
 * @param custom whether an operator registered it
 */
public record EventType(String name, String family, int index, boolean hubOnly, boolean custom) {

    /** Whether the family is the one given. */
    public boolean in(String familyName) {
        return family.equals(familyName);
    }

    /** What stands behind the family: {@code cancel.requested}. */
    public String action() {
        return name.substring(family.length() + 1);
    }

    /** Whether only filters that name the family bring it: it speaks of the hub and not of the work (D32). */
    public boolean reserved() {
        return switch (family) {
            case "session", "capabilities", "subscription", "event", "audit" -> true;
            default -> false;
        };
    }

    /** Whether an abbreviated form without id, source, created_at and payload is taken (D2). */
    public boolean handshake() {
        return switch (name) {
            case "session.open", "session.opened", "session.ready", "session.error", "session.closed" -> true;
            default -> false;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
