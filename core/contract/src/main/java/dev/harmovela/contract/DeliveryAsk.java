package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What a sender asks for in {@code delivery} (§6).
 *
 * @param mode the mode, or null when not said (D21: at_least_once)
 * @param retry retry policy with gaps, or null when not said
 * @param raw the member as sent; after reading back from a record only mode and retry are left
 * @param again set by the hub alone on an event it stores a second time, null on all others
 */
public record DeliveryAsk(
        @Nullable DeliveryMode mode,
        RetryPolicy.@Nullable Partial retry,
        Json.Obj raw,
        @Nullable Again again) {

    public static final DeliveryAsk NONE = new DeliveryAsk(null, null, Json.Obj.of(), null);

    private static final int RETRY = 1;
    private static final int AGAIN = 2;
    private static final int JITTER = 4;

    /**
     * A second record of an event: a replayed dead letter, or a body carried out of the way of retention.
     *
     * @param subscription the only subscription it goes to, empty when it goes to none
     * @param fromCursor where its first record was
     * @param replays how often it was replayed
     * @param history earlier attempts, as its dead letters tell them
     */
    public record Again(String subscription, String fromCursor, int replays, Json.Arr history) {}

    /** The same ask on a second record of its event. */
    public DeliveryAsk again(Again second) {
        return new DeliveryAsk(mode, retry, raw, second);
    }

    /** An ask for a mode alone. */
    public static DeliveryAsk of(DeliveryMode mode) {
        return new DeliveryAsk(
                mode, null, Json.Obj.builder().put("mode", mode.wire()).build(), null);
    }

    /** Reads a member that was checked before. */
    static DeliveryAsk of(Json.Obj raw) {
        String mode = raw.string("mode");
        Json.Obj retry = raw.object("retry");
        return new DeliveryAsk(
                mode == null ? null : DeliveryMode.of(mode),
                retry == null ? null : RetryPolicy.parse(retry),
                raw,
                null);
    }

    /** The mode, at_least_once when not said (D21). */
    public DeliveryMode modeOrDefault() {
        return mode == null ? DeliveryMode.AT_LEAST_ONCE : mode;
    }

    void write(Out out) {
        out.u8(mode == null ? 0 : mode.ordinal() + 1);
        boolean jitter = retry != null && retry.jitter() != null;
        out.u8((retry != null ? RETRY : 0) | (again != null ? AGAIN : 0) | (jitter ? JITTER : 0));
        if (retry != null) {
            retry.write(out);
        }
        if (again != null) {
            out.string(again.subscription()).string(again.fromCursor());
            out.varint(again.replays()).string(again.history().toString());
        }
    }

    static DeliveryAsk read(In in) {
        int mode = in.u8();
        int parts = in.u8();
        DeliveryMode known = mode == 0 ? null : DeliveryMode.values()[mode - 1];
        RetryPolicy.Partial retry = (parts & RETRY) != 0 ? RetryPolicy.Partial.read(in, (parts & JITTER) != 0) : null;
        Again again = (parts & AGAIN) != 0
                ? new Again(in.string(), in.string(), (int) in.varint(), (Json.Arr) Json.parse(in.string()))
                : null;
        if (known == null && retry == null && again == null) {
            return NONE;
        }
        Json.Obj raw = Json.Obj.builder()
                .put("mode", known == null ? null : known.wire())
                .put("retry", retry == null ? null : retry.toJson())
                .build();
        return new DeliveryAsk(known, retry, raw, again);
    }
}
