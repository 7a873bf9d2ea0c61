package dev.harmovela.dimension.event;

import dev.harmovela.contract.lifecycle.Lifecycle;

/** The life of a session (§3): a session exists from its opening on, an early disconnect never makes one. */
final class SessionLifecycle {

    /** What happens to a session. */
    enum Step {
        OPENED,
        READY,
        CLOSED,
        FAILED
    }

    static final Lifecycle<SessionState, Step> TABLE = Lifecycle.named("session", SessionState.class, Step.class)
            .start(Step.OPENED, SessionState.OPENED)
            .add(SessionState.OPENED, Step.READY, SessionState.READY)
            .add(SessionState.OPENED, Step.CLOSED, SessionState.CLOSED)
            .add(SessionState.OPENED, Step.FAILED, SessionState.ERROR)
            .add(SessionState.READY, Step.CLOSED, SessionState.CLOSED)
            .add(SessionState.READY, Step.FAILED, SessionState.ERROR)
            .terminal(SessionState.CLOSED, SessionState.ERROR)
            .build();

    private SessionLifecycle() {}

    /** The state a step leads to; a step the table does not know is a defect of the hub. */
    static SessionState after(SessionState from, Step step) {
        SessionState to = TABLE.next(from, step);
        if (to == null) {
            throw new IllegalStateException("a session in " + from + " cannot take " + step);
        }
        return to;
    }
}
