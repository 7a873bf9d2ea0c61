package dev.harmovela.harness;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.json.Json;
import dev.harmovela.dimension.event.Session;
import dev.harmovela.dimension.event.Subscription;
import dev.harmovela.dimension.governance.Actions;
import dev.harmovela.dimension.governance.Rights;
import dev.harmovela.dimension.task.TaskFilter;
import dev.harmovela.spi.Caller;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets to see of what it asks about (§7, SEC-02): of its tenant only, and there what is its own or what a
 * right shows it. What it does not see looks like what is not there.
 */
final class Sight {

    private static final String TASK = "task";

    private Sight() {}

    static boolean ofSession(Caller caller, Rights rights, Session session) {
        return Policy.owns(caller, session)
                || session.tenant().equals(caller.tenant()) && rights.holds(Actions.SESSION_READ);
    }

    static boolean ofInbox(Caller caller, Rights rights, Subscription inbox) {
        return inbox.tenant().equals(caller.tenant())
                && (rights.holds(Actions.SESSION_READ) || Policy.speaksFor(caller, inbox.owner()));
    }

    /** A filter of tasks, narrowed to those the caller has a part in when it may not read all of them. */
    static Json.Obj ofTasks(Caller caller, Rights rights, Json.Obj filter) {
        return rights.mayRead(TASK) ? filter : filter.with(TaskFilter.PARTY, Json.of(Pulls.owner(caller)));
    }

    /** A task, or null when the caller may not see it. */
    static Json.@Nullable Obj ofTask(Caller caller, Rights rights, Json.@Nullable Obj task) {
        if (task == null || rights.mayRead(TASK)) {
            return task;
        }
        String own = Pulls.owner(caller);
        boolean party = own.equals(task.string("owner"))
                || own.equals(task.string("submitter"))
                || own.equals(task.string("target"));
        return party ? task : null;
    }

    /** Whether the caller is that identity, or one of those that speak for it. */
    static boolean names(Caller caller, @Nullable String identity) {
        return identity != null && Policy.speaksFor(caller, identity);
    }

    /** An event of the log. */
    static boolean ofEvent(Caller caller, Rights rights, Event event) {
        return rights.mayRead(event.type())
                || Policy.speaksFor(caller, event.source()) && caller.trust() == Caller.Trust.VERIFIED
                || event.target() != null && event.target().equals(caller.identity());
    }
}
