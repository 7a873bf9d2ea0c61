package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;

/** What the experimental version adds. */
final class ExperimentalChecks {

    static final Json.Obj FIXTURE = Json.Obj.builder()
            .put("fixtureVersion", "a2a-1.2")
            .put("priority", "normal")
            .build();

    static final List<Check> TABLE = List.of(new Check(
            "experimental.data-part",
            "experimental.structured-data-fixture",
            Check.Scope.EACH,
            "a data part comes back unchanged",
            ExperimentalChecks::dataPart));

    private ExperimentalChecks() {}

    private static void dataPart(Probe probe) throws WireException, Verdict {
        Json.Obj data = Json.Obj.builder().put("data", FIXTURE).build();
        Json.Obj message = probe.message(Probe.COMPLETE, "")
                .with("parts", new Json.Arr(List.of(Probe.part("hello from a2a 1.2"), data)));
        Reply reply = probe.caller().call(Operation.SEND, Probe.sending(message));
        Json.Obj result = probe.present(reply.object(), "a data part: " + reply.brief());
        Json.Obj task = result.object("task");
        Json answered = task == null ? result : task.without("history");
        probe.require(holds(answered), "the data part does not come back in the answer");
    }

    private static boolean holds(Json json) {
        return switch (json) {
            case Json.Obj object ->
                object.equals(FIXTURE)
                        || object.names().stream()
                                .anyMatch(name -> holds(object.raw(name) instanceof Json one ? one : FIXTURE));
            case Json.Arr array -> array.items().stream().anyMatch(ExperimentalChecks::holds);
            default -> false;
        };
    }
}
