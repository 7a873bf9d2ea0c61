package dev.harmovela.contract;

/**
 * How large an event may be.
 *
 * @param maxPayloadBytes bytes of the payload member ({@code max_payload_size}, §1)
 * @param maxDepth levels of objects and arrays, the event itself included
 * @param maxNameBytes bytes of an id, identity or routing name
 * @param reservedKeys whether top-level payload keys that begin with {@code _} are taken from the sender (§7)
 */
public record Limits(int maxPayloadBytes, int maxDepth, int maxNameBytes, ReservedKeys reservedKeys) {

    /** What happens to reserved payload keys. */
    public enum ReservedKeys {
        REFUSED,
        TAKEN
    }

    /** 1 MiB, 64 levels, 512 bytes, reserved keys refused. */
    public static final Limits DEFAULT = new Limits(1 << 20, 64, 512, ReservedKeys.REFUSED);

    private static final int ENVELOPE_BYTES = 64 * 1024;

    /** Bytes of a whole event, and so of a transport's message: the payload and 64 KiB around it. */
    public int maxEventBytes() {
        return (int) Math.min(Integer.MAX_VALUE, (long) maxPayloadBytes + ENVELOPE_BYTES);
    }

    public Limits withMaxPayloadBytes(int bytes) {
        return new Limits(bytes, maxDepth, maxNameBytes, reservedKeys);
    }

    public Limits withReservedKeys(ReservedKeys keys) {
        return new Limits(maxPayloadBytes, maxDepth, maxNameBytes, keys);
    }
}
