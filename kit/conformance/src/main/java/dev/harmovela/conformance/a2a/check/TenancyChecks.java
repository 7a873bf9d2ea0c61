package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.util.List;

/** The {@code tenant} of an interface: a route, never a right. */
final class TenancyChecks {

    private static final String ROW = "tenancy.interface-tenant";

    static final List<Check> TABLE = List.of(
            new Check(
                    "tenancy.interface",
                    ROW,
                    Check.Scope.RUN,
                    "an interface with a tenant is served with it",
                    TenancyChecks::declared),
            check("tenancy.foreign", "a task of another tenant is not found", TenancyChecks::foreign),
            check("tenancy.foreign-list", "another tenant's list shows nothing of ours", TenancyChecks::foreignList),
            check("tenancy.mismatch", "path and body that name two tenants are refused", TenancyChecks::mismatch),
            check("tenancy.metadata", "a tenant in metadata routes nothing", TenancyChecks::metadata));

    private TenancyChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.EACH, title, body);
    }

    private static void declared(Probe probe) throws WireException, Verdict {
        List<AgentInterface> with = probe.run.interfaces("1.0").stream()
                .filter(one -> one.tenant() != null)
                .toList();
        if (with.isEmpty()) {
            throw probe.notApplicable("no interface of the card has a tenant");
        }
        for (AgentInterface each : with) {
            Caller at = probe.run.caller(each);
            Json.Obj task = probe.completed(at);
            probe.require(
                    Probe.idOf(probe.get(at, Probe.idOf(task))).equals(Probe.idOf(task)),
                    each.label() + ": the task is not found again");
        }
    }

    private static void foreign(Probe probe) throws WireException, Verdict {
        String id = Probe.idOf(probe.completed(probe.caller()));
        Caller foreign = probe.caller().asTenant("kit-no-such-tenant");
        Reply theirs = foreign.call(Operation.GET, Probe.id(id));
        Reply missing = foreign.call(Operation.GET, Probe.id(probe.run.fresh("no-such-task")));
        probe.refused(theirs, A2aError.TASK_NOT_FOUND, "a task of another tenant");
        probe.refused(missing, A2aError.TASK_NOT_FOUND, "an unknown task of another tenant");
        probe.require(
                theirs.answer().status() == missing.answer().status(), "foreign and missing are answered differently");
    }

    private static void foreignList(Probe probe) throws WireException, Verdict {
        String id = Probe.idOf(probe.completed(probe.caller()));
        Reply reply = probe.caller().asTenant("kit-no-such-tenant").call(Operation.LIST, Json.Obj.of());
        boolean shown = Probe.list(reply.object(), "tasks").stream()
                .anyMatch(each -> each instanceof Json.Obj one && id.equals(one.string("id")));
        probe.require(!shown, "the list of another tenant shows a task of ours");
    }

    private static void mismatch(Probe probe) throws WireException, Verdict {
        if (!probe.caller().isRest()) {
            throw probe.notApplicable("only HTTP+JSON names a tenant twice");
        }
        Json.Obj request = probe.sending(Probe.COMPLETE, "two tenants").with("tenant", Json.of("kit-other"));
        Reply reply = probe.caller().asTenant("kit-no-such-tenant").call(Operation.SEND, request);
        probe.require(reply.problem() != null, "a path and a body with two tenants were served");
    }

    private static void metadata(Probe probe) throws WireException, Verdict {
        Json.Obj request = probe.sending(Probe.COMPLETE, "a tenant in metadata")
                .with("metadata", Json.Obj.of().with("tenant", Json.of("kit-no-such-tenant")));
        String id = Probe.idOf(probe.task(probe.caller(), request));
        probe.get(probe.caller(), id);
    }
}
