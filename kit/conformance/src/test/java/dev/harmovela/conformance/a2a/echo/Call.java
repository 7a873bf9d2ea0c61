package dev.harmovela.conformance.a2a.echo;

import dev.harmovela.contract.json.Json;

/**
 * An operation that somebody asks for.
 *
 * @param operation its name as JSON-RPC has it
 * @param params as they came
 * @param tenant of the path or of the params; {@code default} when none was named
 * @param rest whether it came over HTTP+JSON
 */
record Call(String operation, Json.Obj params, String tenant, boolean rest) {

    /** A member in camelCase or snake_case. */
    static @org.jspecify.annotations.Nullable Json member(Json.Obj of, String name, Faults faults) {
        Json value = of.raw(name);
        if (value != null || faults.has("fields.snake-case")) {
            return value;
        }
        return of.raw(name.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT));
    }
}
