package dev.harmovela.conformance.a2a.check;

import dev.harmovela.conformance.a2a.wire.WireException;
import dev.harmovela.contract.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** ListTasks, asked at the first binding of the card; HTTP+JSON has its routes in a row of its own. */
final class ListChecks {

    private static final String ROW = "methods.list-tasks";
    private static final int TASKS = 3;

    static final List<Check> TABLE = List.of(
            check("list.envelope", "tasks, nextPageToken, pageSize, totalSize are always there", ListChecks::envelope),
            check("list.page-size", "pageSize 0 and 101 are refused", ListChecks::pageSize),
            check("list.page-token", "a page token of somebody else is refused", ListChecks::pageToken),
            check("list.paging", "pages hold every task once, the last token is empty", ListChecks::paging),
            check("list.by-context", "contextId filters", ListChecks::byContext),
            check("list.by-status", "status filters", ListChecks::byStatus),
            check("list.after", "statusTimestampAfter filters, its own instant included", ListChecks::after),
            check("list.order", "the newest status comes first", ListChecks::order),
            check("list.artifacts", "artifacts come only when asked for", ListChecks::artifacts));

    private ListChecks() {}

    private static Check check(String id, String title, Check.Body body) {
        return new Check(id, ROW, Check.Scope.FIRST, title, body);
    }

    private static Json.Obj listed(Probe probe, Json.Obj params) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.LIST, params);
        Json.Obj found =
                probe.present(reply.object(), "ListTasks " + params + ": a list expected, got " + reply.brief());
        return found;
    }

    private static Json.Obj asking(String name, Json value) {
        return Json.Obj.of().with(name, value);
    }

    private static void envelope(Probe probe) throws WireException, Verdict {
        String context = probe.run.fresh("kit-context");
        some(probe, context);
        probe.require(!Probe.list(listed(probe, Json.Obj.of()), "tasks").isEmpty(), "no task is listed");
        probe.shaped("ListTasksResponse", listed(probe, asking("contextId", Json.of(context))));
        Json.Obj none = listed(probe, asking("contextId", Json.of(probe.run.fresh("no-such-context"))));
        probe.shaped("ListTasksResponse", none);
        probe.require("".equals(none.string("nextPageToken")), "the last page's token is not \"\"");
        Long size = listed(probe, asking("pageSize", Json.of(7))).integer("pageSize");
        probe.require(size != null && size == 7, "pageSize is not the size applied");
    }

    private static void pageSize(Probe probe) throws WireException, Verdict {
        for (int size : new int[] {0, 101, -1}) {
            Reply reply = probe.caller().call(Operation.LIST, asking("pageSize", Json.of(size)));
            probe.refused(reply, A2aError.INVALID_PARAMS, "pageSize " + size);
        }
    }

    private static void pageToken(Probe probe) throws WireException, Verdict {
        Reply reply = probe.caller().call(Operation.LIST, asking("pageToken", Json.of("kit-garbage")));
        probe.refused(reply, A2aError.INVALID_PARAMS, "a pageToken nobody gave out");
    }

    /** Some tasks in a context of their own. */
    private static List<Json.Obj> some(Probe probe, String context) throws WireException, Verdict {
        List<Json.Obj> tasks = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            Json.Obj message = probe.message(Probe.COMPLETE, "one of some").with("contextId", Json.of(context));
            tasks.add(probe.task(probe.caller(), Probe.sending(message)));
        }
        return tasks;
    }

    private static void paging(Probe probe) throws WireException, Verdict {
        String context = probe.run.fresh("kit-context");
        List<Json.Obj> made = some(probe, context);
        Set<String> seen = new HashSet<>();
        Json.Obj ask = asking("contextId", Json.of(context)).with("pageSize", Json.of(2));
        Json.Obj page = listed(probe, ask);
        for (int pages = 0; ; pages++) {
            for (Json each : Probe.list(page, "tasks")) {
                probe.require(seen.add(Probe.idOf((Json.Obj) each)), "a task is on two pages");
            }
            probe.require(Probe.list(page, "tasks").size() <= 2, "a page holds more than pageSize tasks");
            Long total = page.integer("totalSize");
            probe.require(total != null && total == made.size(), "totalSize is " + total + ", not " + made.size());
            String token = page.string("nextPageToken");
            if (token == null || token.isEmpty()) {
                break;
            }
            probe.require(pages < TASKS, "the pages do not end");
            page = listed(probe, ask.with("pageToken", Json.of(token)));
        }
        probe.require(seen.size() == made.size(), seen.size() + " of " + made.size() + " tasks are on the pages");
    }

    private static void byContext(Probe probe) throws WireException, Verdict {
        String context = probe.run.fresh("kit-context");
        some(probe, context);
        probe.completed(probe.caller());
        List<Json> found = Probe.list(listed(probe, asking("contextId", Json.of(context))), "tasks");
        probe.require(found.size() == TASKS, found.size() + " tasks of " + TASKS + " in the context");
        for (Json each : found) {
            probe.require(context.equals(((Json.Obj) each).string("contextId")), "a task of another context");
        }
    }

    private static void byStatus(Probe probe) throws WireException, Verdict {
        probe.completed(probe.caller());
        List<Json> found = Probe.list(listed(probe, asking("status", Json.of(Probe.COMPLETED))), "tasks");
        probe.require(!found.isEmpty(), "a task was completed and none is listed as such");
        for (Json each : found) {
            String state = Probe.stateOf((Json.Obj) each);
            probe.require(state.equals(Probe.COMPLETED), "status=" + Probe.COMPLETED + " lists " + state);
        }
        Reply wrong = probe.caller().call(Operation.LIST, asking("status", Json.of("TASK_STATE_NO_SUCH")));
        probe.refused(wrong, A2aError.INVALID_PARAMS, "an unknown status");
    }

    private static void after(Probe probe) throws WireException, Verdict {
        Json.Obj task = probe.completed(probe.caller());
        Json.Obj status = probe.get(probe.caller(), Probe.idOf(task)).object("status");
        String at = status == null ? null : status.string("timestamp");
        if (at == null) {
            throw probe.notApplicable("the task's status has no timestamp");
        }
        List<Json> found = Probe.list(listed(probe, asking("statusTimestampAfter", Json.of(at))), "tasks");
        boolean there =
                found.stream().anyMatch(one -> Probe.idOf((Json.Obj) one).equals(Probe.idOf(task)));
        probe.require(there, "statusTimestampAfter = " + at + " leaves out the task of that instant");
        Json later = Json.of("2999-01-01T00:00:00.000Z");
        probe.require(
                Probe.list(listed(probe, asking("statusTimestampAfter", later)), "tasks")
                        .isEmpty(),
                "statusTimestampAfter in the far future lists tasks");
    }

    private static void order(Probe probe) throws WireException, Verdict {
        String context = probe.run.fresh("kit-context");
        some(probe, context);
        Instant before = Instant.MAX;
        for (Json each : Probe.list(listed(probe, asking("contextId", Json.of(context))), "tasks")) {
            Json.Obj status = ((Json.Obj) each).object("status");
            String at = status == null ? null : status.string("timestamp");
            if (at == null) {
                throw probe.notApplicable("statuses have no timestamps");
            }
            try {
                Instant now = Instant.parse(at);
                probe.require(!now.isAfter(before), "an older status comes before a newer one");
                before = now;
            } catch (DateTimeParseException wrong) {
                throw probe.fail("the timestamp " + at + " is none");
            }
        }
    }

    private static void artifacts(Probe probe) throws WireException, Verdict {
        String context = probe.run.fresh("kit-context");
        Json.Obj message = probe.message("tck-artifact-text", "an artifact").with("contextId", Json.of(context));
        Json.Obj task = probe.task(probe.caller(), Probe.sending(message));
        if (Probe.list(task, "artifacts").isEmpty()) {
            throw probe.notApplicable("the endpoint does not react to tck-artifact-text");
        }
        Json.Obj ask = asking("contextId", Json.of(context));
        for (Json each : Probe.list(listed(probe, ask), "tasks")) {
            probe.require(!((Json.Obj) each).has("artifacts"), "artifacts come without being asked for");
        }
        List<Json> whole = Probe.list(listed(probe, ask.with("includeArtifacts", Json.of(true))), "tasks");
        boolean there = whole.stream()
                .anyMatch(one -> !Probe.list((Json.Obj) one, "artifacts").isEmpty());
        probe.require(there, "includeArtifacts=true: no artifact came");
    }
}
