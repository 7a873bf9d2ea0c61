package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/** Short renderings of what a peer sent, for {@code details.got}. */
final class Shown {

    private static final int LONGEST = 48;

    private Shown() {}

    /** A scalar as JSON, cut to a few words; of an object or array only what it is. */
    static String of(@Nullable Json value) {
        return switch (value) {
            case null -> "nothing";
            case Json.Obj _ -> "an object";
            case Json.Arr _ -> "an array";
            case Json.Str s -> text(s.value());
            case Json.Num n -> "the number " + cut(n.text());
            case Json.Bool b -> Boolean.toString(b.value());
            case Json.Null _ -> "null";
        };
    }

    static String text(String value) {
        return Json.of(cut(value)).toString();
    }

    private static String cut(String value) {
        return value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…";
    }
}
