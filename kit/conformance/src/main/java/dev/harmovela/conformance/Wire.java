package dev.harmovela.conformance;

import dev.harmovela.contract.json.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be seen in an event on the wire. */
final class Wire {

    private static final Set<String> DIRECT = Set.of(
            "event.acknowledged",
            "session.opened",
            "session.error",
            "capabilities.declared",
            "subscription.created",
            "subscription.cancelled");

    private Wire() {}

    static String type(Json.Obj event) {
        String type = event.string("type");
        return type == null ? "" : type;
    }

    /** Whether it is a refusal: a type that ends in {@code .rejected}, or {@code session.error}. */
    static boolean refusal(Json.Obj event) {
        return type(event).endsWith(".rejected") || type(event).equals("session.error");
    }

    /** Whether it can be the one direct answer to an input (D26), and no copy that a subscription brought. */
    static boolean directAnswer(Json.Obj event) {
        return (DIRECT.contains(type(event)) || type(event).endsWith(".rejected")) && subscription(event) == null;
    }

    /** The subscription that brought a copy, or null when none did. */
    static @Nullable String subscription(Json.Obj event) {
        Json.Obj delivery = event.object("delivery");
        return delivery == null ? null : delivery.string("subscription_id");
    }

    /** The standard error of a refusal, wherever it stands (§8, D27); empty when there is none. */
    static Json.Obj error(Json.Obj refusal) {
        Json.Obj payload = refusal.object("payload");
        Json.Obj inner = payload == null ? null : payload.object("error");
        Json.Obj outer = inner == null ? refusal.object("error") : inner;
        return outer == null ? Json.Obj.of() : outer;
    }

    static String code(Json.Obj refusal) {
        String code = error(refusal).string("code");
        return code == null ? "" : code;
    }

    /** The value at a dotted path, array positions as numbers; null when there is none or it is JSON null. */
    static @Nullable Json at(Json from, String path) {
        Json value = from;
        for (String part : path.split("\\.", -1)) {
            value = switch (value) {
                case Json.Obj o -> o.get(part);
                case Json.Arr a -> item(a.items(), part);
                case null, default -> null;
            };
        }
        return value;
    }

    private static @Nullable Json item(List<Json> items, String place) {
        if (!place.chars().allMatch(Character::isDigit) || place.length() > 9) {
            return null;
        }
        int index = Integer.parseInt(place);
        return index < items.size() ? items.get(index) : null;
    }

    /**
     * Whether {@code actual} has all that {@code wanted} names: members of objects may be more, arrays are equally
     * long, numbers are equal by value, and a wanted null means absent.
     */
    static boolean matches(Json wanted, @Nullable Json actual) {
        return switch (wanted) {
            case Json.Null _ -> actual == null || actual == Json.Null.NULL;
            case Json.Obj o -> actual instanceof Json.Obj that && membersMatch(o, that);
            case Json.Arr a -> actual instanceof Json.Arr that && itemsMatch(a.items(), that.items());
            case Json.Num n ->
                actual instanceof Json.Num that && new BigDecimal(n.text()).compareTo(new BigDecimal(that.text())) == 0;
            case Json.Str s -> s.equals(actual);
            case Json.Bool b -> b.equals(actual);
        };
    }

    private static boolean membersMatch(Json.Obj wanted, Json.Obj actual) {
        for (String name : wanted.names()) {
            Json value = wanted.raw(name);
            if (value != null && !matches(value, actual.raw(name))) {
                return false;
            }
        }
        return true;
    }

    private static boolean itemsMatch(List<Json> wanted, List<Json> actual) {
        if (wanted.size() != actual.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!matches(wanted.get(i), actual.get(i))) {
                return false;
            }
        }
        return true;
    }
}
