package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;

/** {@code SendMessageConfiguration}, and how members are read. */
final class FieldChecks {

    private static final String ROW = "fields.send-message-configuration";
    private static final String HISTORY = "historyLength";

    static final List<Check> TABLE = List.of(
            check("fields.immediate-true", "returnImmediately true does not wait", FieldChecks::immediate),
            check("fields.immediate-false", "returnImmediately false waits", FieldChecks::waits),
            check("fields.immediate-absent", "without returnImmediately it waits", FieldChecks::absent),
            check("fields.history-zero", "historyLength 0 leaves the history out", FieldChecks::zero),
            check("fields.history-one", "historyLength 1 shows the newest message at most", FieldChecks::one),
            check("fields.history-unset", "without historyLength the answer is as the agent likes", FieldChecks::unset),
            check("fields.history-negative", "a negative historyLength is refused", FieldChecks::negative),
            check("fields.output-modes", "acceptedOutputModes is taken", FieldChecks::outputModes),
            check("fields.inline-push", "a push configuration comes with the message", FieldChecks::inlinePush),
            check("fields.snake-case", "member names in snake_case are read", FieldChecks::snakeCase),
            check("fields.unknown", "unknown members are ignored", FieldChecks::unknown));

    private FieldChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static void immediate(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.working(probe.caller());
        probe.drop(probe.caller(), task);
    }

    private static void rests(Probe probe, Json.Obj request) throws WireException, Verdict {
        String state = Probe.stateOf(probe.task(probe.caller(), request));
        boolean rests = Probe.TERMINAL.contains(state)
                || state.equals(Probe.INPUT_REQUIRED)
                || state.equals(Probe.AUTH_REQUIRED);
        probe.require(rests, "the answer came while the task was in " + state);
    }

    private static void waits(Probe probe) throws WireException, Verdict {
        Json.Obj request = probe.sending(Probe.COMPLETE, "wait for it");
        rests(probe, Probe.configured(request, "returnImmediately", Json.of(false)));
    }

    private static void absent(Probe probe) throws WireException, Verdict {
        rests(probe, probe.sending(Probe.COMPLETE, "wait for it"));
        rests(probe, Probe.configured(probe.sending(Probe.COMPLETE, "wait for it"), HISTORY, Json.of(0)));
    }

    private static void zero(Probe probe) throws WireException, Verdict {
        Json.Obj request = Probe.configured(probe.sending(Probe.COMPLETE, "no history"), HISTORY, Json.of(0));
        Json.Obj task = probe.task(probe.caller(), request);
        probe.require(Probe.list(task, "history").isEmpty(), "SendMessage: a history came with historyLength 0");
        Reply reply =
                probe.caller().call(Operation.GET, Probe.id(Probe.idOf(task)).with(HISTORY, Json.of(0)));
        probe.require(reply.object() != null, "GetTask: " + reply.brief());
        probe.require(Probe.list(reply.object(), "history").isEmpty(), "GetTask: a history came with historyLength 0");
    }

    private static void one(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.waiting(probe.caller());
        Json.Obj request = Probe.configured(probe.completing(task), HISTORY, Json.of(1));
        Json.Obj after = probe.task(probe.caller(), request);
        probe.require(Probe.list(after, "history").size() <= 1, "SendMessage: more than one message came");
        List<Json> whole = Probe.list(probe.get(probe.caller(), Probe.idOf(task)), "history");
        Reply reply =
                probe.caller().call(Operation.GET, Probe.id(Probe.idOf(task)).with(HISTORY, Json.of(1)));
        List<Json> newest = Probe.list(reply.object(), "history");
        probe.require(newest.size() <= 1, "GetTask: more than one message came");
        if (whole.isEmpty()) {
            probe.note("the agent keeps no history");
            return;
        }
        probe.require(newest.equals(whole.subList(whole.size() - 1, whole.size())), "GetTask: not the newest message");
    }

    private static void unset(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.get(probe.caller(), Probe.idOf(probe.completed(probe.caller())));
        for (Json each : Probe.list(task, "history")) {
            probe.shaped("Message", each);
        }
    }

    private static void negative(Probe probe) throws WireException, Verdict {
        Json.Obj request = Probe.configured(probe.sending(Probe.COMPLETE, "negative"), HISTORY, Json.of(-1));
        probe.refused(probe.caller().call(Operation.SEND, request), A2aError.INVALID_PARAMS, "SendMessage, -1");
        String id = Probe.idOf(probe.completed(probe.caller()));
        Reply reply = probe.caller().call(Operation.GET, Probe.id(id).with(HISTORY, Json.of(-1)));
        probe.refused(reply, A2aError.INVALID_PARAMS, "GetTask, -1");
    }

    private static void outputModes(Probe probe) throws WireException, Verdict {
        Json modes = Json.of(List.of("text/plain", "application/json"));
        probe.task(
                probe.caller(),
                Probe.configured(probe.sending(Probe.COMPLETE, "as text"), "acceptedOutputModes", modes));
    }

    private static void inlinePush(Probe probe) throws WireException, Verdict {
        probe.needs("pushNotifications");
        String url = "https://kit.example.com/inline";
        Json.Obj request = Probe.configured(
                probe.sending("tck-input-required", "wait for me"),
                "taskPushNotificationConfig",
                Json.Obj.builder().put("url", url).build());
        String task = Probe.idOf(probe.task(probe.caller(), request));
        Reply reply = probe.caller().call(Operation.PUSH_LIST, Json.Obj.of().with("taskId", Json.of(task)));
        boolean there = Probe.list(reply.object(), "configs").stream()
                .anyMatch(each -> each instanceof Json.Obj one && url.equals(one.string("url")));
        probe.require(there, "the configuration that came with the message is not listed");
    }

    private static void needsNames(Probe probe) throws Verdict {
        if (probe.caller().isGrpc()) {
            throw probe.notApplicable("this binding sends numbers for names");
        }
    }

    private static void snakeCase(Probe probe) throws WireException, Verdict {
        needsNames(probe);
        Json.Obj message = probe.message(Probe.COMPLETE, "in snake case");
        Json.Obj snake =
                message.without("messageId").with("message_id", Json.of(String.valueOf(message.string("messageId"))));
        Json.Obj request =
                Probe.sending(snake).with("configuration", Json.Obj.of().with("history_length", Json.of(0)));
        Json.Obj task = probe.task(probe.caller(), request);
        probe.require(Probe.list(task, "history").isEmpty(), "history_length 0 was not read");
    }

    private static void unknown(Probe probe) throws WireException, Verdict {
        needsNames(probe);
        Json.Obj message = probe.message(Probe.COMPLETE, "something more").with("kitUnknown", Json.of(1));
        probe.task(probe.caller(), Probe.sending(message).with("kitUnknown", Json.Obj.of()));
    }
}
