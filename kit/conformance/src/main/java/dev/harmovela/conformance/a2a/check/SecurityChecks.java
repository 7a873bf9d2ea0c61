package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;

/** Who may, and what is told to those who may not. */
final class SecurityChecks {

    static final String ROW = "security.auth-observability";

    static final List<Check> TABLE = List.of(
            check("security.login", "the kit gets in with what it was given", SecurityChecks::login),
            check("security.no-credentials", "no credentials: 401 with a challenge", SecurityChecks::anonymous),
            check("security.wrong-credentials", "credentials nobody knows are refused", SecurityChecks::wrong),
            check("security.extended-card", "the extended card is behind its gate", SecurityChecks::extended),
            check("security.unknown-ids", "unknown tasks get one answer everywhere", SecurityChecks::unknownIds));

    private SecurityChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static void protectedOnly(Probe probe) throws Verdict {
        if (!probe.run.card.asksForCredentials()) {
            throw probe.notApplicable("the card asks for no credentials");
        }
    }

    private static Reply unknownTask(Probe probe, Caller at) throws WireException {
        return at.call(Operation.GET, Probe.id(probe.run.fresh("no-such-task")));
    }

    private static void login(Probe probe) throws WireException, Verdict {
        protectedOnly(probe);
        String trouble = probe.run.login.trouble();
        Reply reply = unknownTask(probe, probe.caller());
        if (reply.problem() != null && reply.problem().isAboutCredentials()) {
            throw probe.skip(trouble == null ? "the credentials were refused: " + reply.brief() : trouble);
        }
    }

    private static void anonymous(Probe probe) throws WireException, Verdict {
        protectedOnly(probe);
        Reply reply = unknownTask(probe, probe.run.anonymous(probe.caller().at));
        probe.require(
                reply.problem() != null && reply.problem().isAboutCredentials(),
                "without credentials: 401 expected, got " + reply.brief());
        if (probe.caller().isGrpc()) {
            Problem told = probe.present(reply.problem(), "without credentials it was answered");
            probe.require("UNAUTHENTICATED".equals(told.status()), "UNAUTHENTICATED expected, got " + told.status());
            return;
        }
        probe.require(reply.answer().header("WWW-Authenticate") != null, "no WWW-Authenticate came with it");
    }

    private static void wrong(Probe probe) throws WireException, Verdict {
        protectedOnly(probe);
        Caller forged = probe.run.anonymous(probe.caller().at).tuned(probe.run.login::forge);
        Reply reply = unknownTask(probe, forged);
        probe.require(
                reply.problem() != null && reply.problem().isAboutCredentials(),
                "credentials nobody knows: 401 or 403 expected, got " + reply.brief());
    }

    private static void extended(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.EXTENDED_CARD, Json.Obj.of());
        if (!probe.run.card.offers("extendedAgentCard")) {
            probe.refused(reply, A2aError.UNSUPPORTED_OPERATION, "the extended card is not offered");
            return;
        }
        if (reply.is(A2aError.EXTENDED_AGENT_CARD_NOT_CONFIGURED)) {
            probe.note("the extended card is offered and none is configured");
            return;
        }
        probe.shaped("AgentCard", reply.result());
        if (probe.run.card.asksForCredentials()) {
            Reply anonymous = probe.run.anonymous(probe.caller().at).call(Operation.EXTENDED_CARD, Json.Obj.of());
            probe.require(anonymous.problem() != null, "the extended card is shown to anybody");
        }
    }

    private static void unknownIds(Probe probe) throws WireException, Verdict {
        Json.Obj id = Probe.id(probe.run.fresh("no-such-task"));
        probe.refused(probe.caller().call(Operation.GET, id), A2aError.TASK_NOT_FOUND, "GetTask");
        probe.refused(probe.caller().call(Operation.CANCEL, id), A2aError.TASK_NOT_FOUND, "CancelTask");
    }
}
