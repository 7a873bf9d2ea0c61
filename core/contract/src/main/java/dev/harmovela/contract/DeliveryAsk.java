package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What a sender asks for in {@code delivery} (§6).
 *
 * @param mode the mode, or null when not said (D21: at_least_once)
 * @param retry retry policy with gaps, or null when not said
 * @param raw the member as sent; after reading back from a record only mode and retry are left
 */
public record DeliveryAsk(@Nullable DeliveryMode mode, RetryPolicy.@Nullable Partial retry, Json.Obj raw) {

    public static final DeliveryAsk NONE = new DeliveryAsk(null, null, Json.Obj.of());

    /** An ask for a mode alone. */
    public static DeliveryAsk of(DeliveryMode mode) {
        return new DeliveryAsk(
                mode, null, Json.Obj.builder().put("mode", mode.wire()).build());
    }

    /** Reads a member that was checked before. */
    static DeliveryAsk of(Json.Obj raw) {
        String mode = raw.string("mode");
        Json.Obj retry = raw.object("retry");
        return new DeliveryAsk(
                mode == null ? null : DeliveryMode.of(mode), retry == null ? null : RetryPolicy.parse(retry), raw);
    }

    /** The mode, at_least_once when not said (D21). */
    public DeliveryMode modeOrDefault() {
        return mode == null ? DeliveryMode.AT_LEAST_ONCE : mode;
    }

    void write(Out out) {
        out.u8(mode == null ? 0 : mode.ordinal() + 1);
        out.bool(retry != null);
        if (retry != null) {
            retry.write(out);
        }
    }

    static DeliveryAsk read(In in) {
        int mode = in.u8();
        DeliveryMode known = mode == 0 ? null : DeliveryMode.values()[mode - 1];
        RetryPolicy.Partial retry = in.bool() ? RetryPolicy.Partial.read(in) : null;
        if (known == null && retry == null) {
            return NONE;
        }
        Json.Obj raw = Json.Obj.builder()
                .put("mode", known == null ? null : known.wire())
                .put("retry", retry == null ? null : retry.toJson())
                .build();
        return new DeliveryAsk(known, retry, raw);
    }
}
