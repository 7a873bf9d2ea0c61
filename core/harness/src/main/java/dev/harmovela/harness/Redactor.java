package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.TypePattern;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.governance.Rights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes payload members from events for consumers without the right to them and says so in {@code _redacted} (§7). What
 * no rule is about stays byte for byte as it was sent.
 */
final class Redactor {

    private static final String LETTER = "event.dead_lettered";
    private static final String DELEGATION = "delegation";
    private static final String PROOF = "handoff_token";
    private static final String ORIGINAL = "original_event";

    private Redactor() {}

    /**
     * The bytes that a consumer with these rights gets.
     *
     * @param inbox whether it gets them because it is the one they are for: nobody else sees a proof of a handover
     */
    static byte[] bytes(Event event, TenantPolicy policy, Rights rights, boolean inbox) {
        String type = event.type().name();
        boolean proof = !inbox && (event.type().in(DELEGATION) || type.equals(LETTER));
        if (!proof && (policy.redactions().isEmpty() || !concerns(type, policy, rights))) {
            return event.bytes();
        }
        Json.Obj whole = (Json.Obj) Json.parse(event.bytes(), 0, event.bytes().length);
        Json.Obj shown = redacted(whole, policy, rights, inbox);
        return shown == whole ? event.bytes() : shown.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean concerns(String type, TenantPolicy policy, Rights rights) {
        return type.equals(LETTER)
                || policy.redactions().stream().anyMatch(rule -> matches(rule, type) && !rights.has(rule.unless()));
    }

    private static boolean matches(TenantPolicy.Redaction rule, String type) {
        for (TypePattern pattern : rule.types()) {
            if (pattern.matches(type)) {
                return true;
            }
        }
        return false;
    }

    /** The same of an event that was read already; one that it carries in a dead letter is treated alike. */
    static Json.Obj json(Json.Obj event, TenantPolicy policy, Rights rights) {
        return redacted(event, policy, rights, false);
    }

    private static Json.Obj redacted(Json.Obj whole, TenantPolicy policy, Rights rights, boolean inbox) {
        Json.Obj event = inbox || !whole.has(PROOF) ? whole : whole.without(PROOF);
        String type = event.string("type");
        Json.Obj payload = event.object("payload");
        if (type == null || payload == null || (policy.redactions().isEmpty() && !type.equals(LETTER))) {
            return event;
        }
        Json.Obj shown = payload;
        List<String> taken = new ArrayList<>();
        for (TenantPolicy.Redaction rule : policy.redactions()) {
            if (matches(rule, type) && !rights.has(rule.unless())) {
                for (String member : rule.members()) {
                    if (shown.has(member)) {
                        shown = shown.without(member);
                        taken.add(member);
                    }
                }
            }
        }
        if (!taken.isEmpty()) {
            shown = shown.with("_redacted", Json.of(taken));
        }
        Json.Obj carried = type.equals(LETTER) ? shown.object(ORIGINAL) : null;
        if (carried != null) {
            Json.Obj less = redacted(carried, policy, rights, inbox);
            shown = less == carried ? shown : shown.with(ORIGINAL, less);
        }
        return shown == payload ? event : event.with("payload", shown);
    }
}
