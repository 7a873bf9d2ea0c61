package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The fixed cases in the official dialect. */
final class OfficialSpeech implements FixedCases.Speech {

    private final String version;

    OfficialSpeech(String version) {
        this.version = version;
    }

    @Override
    public Json.Obj send(Probe probe) throws WireException, Verdict {
        boolean experimental = version.equals("1.2");
        List<Json> parts = new ArrayList<>(List.of(Probe.part("hello from a2a " + version)));
        if (experimental) {
            parts.add(Json.Obj.builder().put("data", ExperimentalChecks.FIXTURE).build());
        }
        String dashed = version.replace('.', '-');
        Json.Obj message = Json.Obj.builder()
                .put("messageId", "msg-a2a-" + dashed + "-send")
                .put("contextId", "ctx-a2a-" + dashed)
                .put("role", "ROLE_USER")
                .put("parts", new Json.Arr(parts))
                .build();
        return sent(probe, message);
    }

    private static Json.Obj sent(Probe probe, Json.Obj message) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.SEND, Probe.sending(message));
        Json.Obj result = probe.present(reply.object(), "SendMessage: " + reply.brief());
        Json.Obj task = result.object("task");
        Json.Obj direct = result.object("message");
        probe.require(
                task != null || direct != null,
                "neither {task} nor {message}: " + reply.answer().brief());
        return task != null ? task : direct == null ? Json.Obj.of() : direct;
    }

    @Override
    public Json.Obj get(Probe probe, String task) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.GET, Probe.id(task).with("historyLength", Json.of(0)));
        Json.Obj found = probe.present(reply.object(), "GetTask: " + reply.brief());
        return found;
    }

    @Override
    public void stream(Probe probe) throws WireException, Verdict {
        try (Feed feed = probe.caller().stream(Operation.STREAM, probe.sending("tck-stream", "stream"))) {
            Reply refused = feed.refused();
            probe.require(refused == null, "a stream expected, got " + (refused == null ? "" : refused.brief()));
            List<Json.Obj> all = feed.rest(probe.run.patience);
            probe.require(!all.isEmpty() && feed.ended(), all.size() + " events came and the stream did not end");
        }
    }

    @Override
    public void push(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.task(probe.caller(), probe.sending("tck-input-required", "wait for me"));
        Json.Obj config = Json.Obj.builder()
                .put("taskId", Probe.idOf(task))
                .put("url", "https://kit.example.com/case")
                .build();
        Reply created = probe.caller().call(Operation.PUSH_CREATE, config);
        Json.Obj made = probe.present(created.object(), "creating a configuration: " + created.brief());
        Json.Obj which = config.without("url").with("id", Json.of(Probe.idOf(made)));
        Reply got = probe.caller().call(Operation.PUSH_GET, which);
        probe.require(got.object() != null, "reading it: " + got.brief());
        Reply gone = probe.caller().call(Operation.PUSH_DELETE, which);
        probe.require(gone.problem() == null, "deleting it: " + gone.brief());
    }

    @Override
    public void extendedCard(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.EXTENDED_CARD, Json.Obj.of());
        boolean none = reply.is(A2aError.EXTENDED_AGENT_CARD_NOT_CONFIGURED);
        Json.Obj card = reply.object();
        probe.require(none || (card != null && card.string("name") != null), "GetExtendedAgentCard: " + reply.brief());
    }
}
