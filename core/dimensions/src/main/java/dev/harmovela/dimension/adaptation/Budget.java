package dev.harmovela.dimension.adaptation;

import dev.harmovela.contract.In;
import dev.harmovela.contract.Out;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * A budget and what of it is gone (§11, D30, D42).
 *
 * @param id its {@code budget_id}, or the scope's name
 * @param scopeType {@code task}, {@code goal}, {@code session}, or empty for one that is spent by its id alone
 * @param scopeId what it is for, empty for one that is spent by its id alone
 * @param issuer who set it and alone may change it
 * @param eventId the event that did last
 * @param at when the clock of its duration began, epoch milliseconds
 * @param warningRatio from which part on somebody is told
 * @param onExhausted {@code fail}, {@code cancel} or {@code escalate}
 * @param cost in thousandths of a US cent
 * @param actions in numbers of them
 * @param duration in milliseconds
 */
record Budget(
        String id,
        String scopeType,
        String scopeId,
        String issuer,
        String eventId,
        long at,
        double warningRatio,
        String onExhausted,
        Meter cost,
        Meter actions,
        Meter duration) {

    static final double WARNING_RATIO = 0.8;

    Meter of(Measure measure) {
        return switch (measure) {
            case COST -> cost;
            case ACTIONS -> actions;
            case DURATION -> duration;
        };
    }

    Budget with(Measure measure, Meter meter) {
        return new Budget(
                id,
                scopeType,
                scopeId,
                issuer,
                eventId,
                at,
                warningRatio,
                onExhausted,
                measure == Measure.COST ? meter : cost,
                measure == Measure.ACTIONS ? meter : actions,
                measure == Measure.DURATION ? meter : duration);
    }

    /** When its time is over, epoch milliseconds; {@link Long#MAX_VALUE} when it has no end or it was told. */
    long endsAt() {
        return !duration.limited() || duration.exceeded() ? Long.MAX_VALUE : at + (long) duration.limit();
    }

    Json.Obj toJson() {
        return Json.Obj.builder()
                .put("budget_id", id)
                .put("scope_type", scopeType.isEmpty() ? null : scopeType)
                .put("scope_id", scopeId.isEmpty() ? null : scopeId)
                .put("issuer", issuer)
                .put("established_by", eventId)
                .put("on_budget_exhausted", onExhausted)
                .put("cost", cost.limited() ? cost.toJson() : null)
                .put("actions", actions.limited() ? actions.toJson() : null)
                .put("duration_ms", duration.limited() ? Meter.plain(duration.limit()) : null)
                .put("exhausted", exhausted())
                .build();
    }

    private List<String> exhausted() {
        List<String> all = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            if (of(measure).exceeded()) {
                all.add(measure.wire());
            }
        }
        return all;
    }

    void write(Out out) {
        out.string(id)
                .string(scopeType)
                .string(scopeId)
                .string(issuer)
                .string(eventId)
                .varint(at);
        out.f64(warningRatio).string(onExhausted);
        cost.write(out);
        actions.write(out);
        duration.write(out);
    }

    static Budget read(In in) {
        return new Budget(
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.string(),
                in.varint(),
                in.f64(),
                in.string(),
                Meter.read(in),
                Meter.read(in),
                Meter.read(in));
    }
}
