package dev.harmovela.contract;

import dev.harmovela.contract.json.Json;
import java.util.List;
import java.util.Map;

/**
 * Event types of an operator (§2).
 *
 * @param name single word or reverse-DNS prefix, {@code com.example.orders}
 * @param actions what follows the name and a dot, {@code placed}, {@code item.added}
 * @param schemas JSON Schema of the payload by action; an action without one is not checked
 */
public record CustomFamily(String name, List<String> actions, Map<String, Json.Obj> schemas) {

    public CustomFamily {
        actions = List.copyOf(actions);
        schemas = Map.copyOf(schemas);
    }

    public static CustomFamily of(String name, List<String> actions) {
        return new CustomFamily(name, actions, Map.of());
    }
}
