package dev.harmovela.contract;

/**
 * How large an event may be, and how old.
 *
 * @param maxPayloadBytes bytes of the payload member ({@code max_payload_size}, §1)
 * @param maxDepth levels of objects and arrays, the event itself included
 * @param maxNameBytes bytes of an id, identity or routing name
 * @param reservedKeys whether top-level payload keys that begin with {@code _} are taken from the sender (§7)
 * @param staleEvents what happens to an event that is past its freshness window when it arrives (§9)
 */
public record Limits(
        int maxPayloadBytes, int maxDepth, int maxNameBytes, ReservedKeys reservedKeys, StaleEvents staleEvents) {

    /** What happens to reserved payload keys. */
    public enum ReservedKeys {
        REFUSED,
        TAKEN
    }

    /** What happens to events that arrive stale. */
    public enum StaleEvents {
        /** Taken, and marked {@code delivery.stale} in every copy. */
        FLAGGED,
        REFUSED
    }

    /** 1 MiB, 64 levels, 512 bytes, reserved keys refused, stale events flagged. */
    public static final Limits DEFAULT = new Limits(1 << 20, 64, 512, ReservedKeys.REFUSED, StaleEvents.FLAGGED);

    private static final int ENVELOPE_BYTES = 64 * 1024;

    /** Bytes of a whole event, and so of a transport's message: the payload and 64 KiB around it. */
    public int maxEventBytes() {
        return (int) Math.min(Integer.MAX_VALUE, (long) maxPayloadBytes + ENVELOPE_BYTES);
    }

    public Limits withMaxPayloadBytes(int bytes) {
        return new Limits(bytes, maxDepth, maxNameBytes, reservedKeys, staleEvents);
    }

    public Limits withStaleEvents(StaleEvents stale) {
        return new Limits(maxPayloadBytes, maxDepth, maxNameBytes, reservedKeys, stale);
    }

    public Limits withReservedKeys(ReservedKeys keys) {
        return new Limits(maxPayloadBytes, maxDepth, maxNameBytes, keys, staleEvents);
    }
}
