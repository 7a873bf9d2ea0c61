package dev.harmovela.dimension.governance;

import java.util.List;

/** Actions that the hub itself asks for, beside those that events name (§7). */
public final class Actions {

    /** Reaching into another tenant. Granted by its name only. */
    public static final String CROSS_ACCESS = Roles.CROSS_ACCESS;

    /** Seeing figures of the hub as a whole. Granted by its name only, since they speak of every tenant. */
    public static final String HUB_READ = "hub.read";

    /** Seeing sessions, agents and subscriptions of others in the tenant. */
    public static final String SESSION_READ = "session.read";

    /** Looking at dead letters. */
    public static final String DLQ_READ = "dlq.read";

    /** Sending dead letters again. */
    public static final String DLQ_REPLAY = "dlq.replay";

    /** Dropping dead letters. */
    public static final String DLQ_DISCARD = "dlq.discard";

    /** Reading the audit of the tenant. */
    public static final String AUDIT_READ = "audit.read";

    /** Acting on tasks of others in the tenant, beside owner and submitter. */
    public static final String TASK_MANAGE = "task.manage";

    /** Opening conformance sessions (D24). */
    public static final String CONFORMANCE_RUN = "conformance.run";

    /** What no glob ever means. */
    static final List<String> BY_NAME_ONLY = List.of(CROSS_ACCESS, HUB_READ);

    private Actions() {}
}
