package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;

/** The fixed cases in the dialect of the mesh. */
final class MeshSpeech implements FixedCases.Speech {

    @Override
    public Json.Obj send(Probe probe) throws WireException, Verdict {
        Json.Obj request = MeshCaller.sending("msg-a2a-1-0-send", "hello from a2a 1.0", true);
        return result(probe, "message/send", request.with("contextId", Json.of("ctx-a2a-1-0")));
    }

    private static Json.Obj result(Probe probe, String method, Json.Obj params) throws WireException, Verdict {
        Reply reply = LegacyChecks.main(probe.run).call(method, params);
        Json.Obj result = probe.present(reply.object(), method + ": " + reply.brief());
        return result;
    }

    @Override
    public Json.Obj get(Probe probe, String task) throws WireException, Verdict {
        Json.Obj params =
                Json.Obj.builder().put("taskId", task).put("historyLength", 0).build();
        Reply reply = LegacyChecks.main(probe.run).call("tasks/get", params);
        Json.Obj found = reply.object();
        return found == null ? result(probe, "tasks/get", params.with("id", Json.of(task))) : found;
    }

    @Override
    public void stream(Probe probe) throws WireException, Verdict {
        throw probe.skip("the kit does not read streams of this dialect");
    }

    @Override
    public void push(Probe probe) throws WireException, Verdict {
        Json.Obj task = result(
                probe, "message/send", MeshCaller.sending(probe.run.fresh("tck-input-required"), "wait for me", true));
        Json.Obj which = Json.Obj.builder().put("taskId", task.string("id")).build();
        Json.Obj config =
                Json.Obj.builder().put("url", "https://kit.example.com/case").build();
        result(probe, "tasks/pushNotification/set", which.with("pushNotificationConfig", config));
        result(probe, "tasks/pushNotification/get", which);
    }

    @Override
    public void extendedCard(Probe probe) throws WireException, Verdict {
        Json.Obj card = result(probe, "agent/getAuthenticatedExtendedCard", Json.Obj.of());
        probe.require(card.string("name") != null, "the extended card has no name");
    }
}
