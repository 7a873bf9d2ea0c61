package dev.harmovela.contract.json;

import java.util.ArrayList;
import java.util.List;

/** Builds values from a scanner. */
final class JsonTree {

    private JsonTree() {}

    static Json read(JsonScanner in) {
        switch (in.peek()) {
            case '{' -> {
                return object(in);
            }
            case '[' -> {
                return array(in);
            }
            case '"' -> {
                in.string();
                return new Json.Str(in.text());
            }
            case 't', 'f', 'n' -> {
                return in.literal();
            }
            default -> {
                in.number();
                return new Json.Num(in.text());
            }
        }
    }

    private static Json object(JsonScanner in) {
        in.enterObject();
        if (!in.nextKey()) {
            return Json.Obj.of();
        }
        List<String> names = new ArrayList<>();
        List<Json> values = new ArrayList<>();
        do {
            names.add(in.keyText());
            values.add(read(in));
        } while (in.nextKey());
        return new Json.Obj(names.toArray(String[]::new), values.toArray(Json[]::new));
    }

    private static Json array(JsonScanner in) {
        in.enterArray();
        List<Json> items = new ArrayList<>();
        while (in.nextItem()) {
            items.add(read(in));
        }
        return new Json.Arr(items);
    }
}
