package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;

/**
 * What a budget allows of one thing, and what of it is gone.
 *
 * @param limit what it allows, negative for no limit
 * @param used what was spent
 * @param reserved what was promised to work under way
 * @param warned whether somebody was told that it comes to an end
 * @param exceeded whether somebody was told that it has
 */
record Meter(double limit, double used, double reserved, boolean warned, boolean exceeded) {

    static final Meter NONE = new Meter(-1, 0, 0, false, false);

    static Meter of(double limit) {
        return new Meter(limit, 0, 0, false, false);
    }

    boolean limited() {
        return limit >= 0;
    }

    double taken() {
        return used + reserved;
    }

    /** What is left, 0 at the least. */
    double remaining() {
        return Math.max(0, limit - taken());
    }

    boolean admits(double amount) {
        return !limited() || taken() + amount <= limit;
    }

    Meter spent(double amount) {
        return new Meter(limit, used + amount, reserved, warned, exceeded);
    }

    Meter promised(double amount) {
        return new Meter(limit, used, Math.max(0, reserved + amount), warned, exceeded);
    }

    Meter told(boolean warning, boolean excess) {
        return new Meter(limit, used, reserved, warned || warning, exceeded || excess);
    }

    /** Another limit for what is spent already; what was told is told anew when it becomes true again. */
    Meter with(double newLimit, double ratio) {
        Meter next = new Meter(newLimit, used, reserved, false, false);
        return next.told(next.near(ratio) && newLimit <= limit && warned, false);
    }

    /** Whether so much of it is gone that somebody should know. */
    boolean near(double ratio) {
        return limited() && ratio < 1 && taken() >= limit * ratio;
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("limit", plain(limit))
                .put("used", plain(used))
                .put("reserved", plain(reserved))
                .put("remaining", plain(remaining()))
                .build();
    }

    /** A number as people write it: without a fraction when it has none. */
    static Json plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Json.of((long) number)
                : Json.parse(Double.toString(number));
    }

    void write(Out out) {
        out.f64(limit).f64(used).f64(reserved).bool(warned).bool(exceeded);
    }

    static Meter read(In in) {
        return new Meter(in.f64(), in.f64(), in.f64(), in.bool(), in.bool());
    }
}
