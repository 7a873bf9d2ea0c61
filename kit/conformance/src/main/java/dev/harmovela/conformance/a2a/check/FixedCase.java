package dev.harmovela.conformance.a2a.check;

import org.jspecify.annotations.Nullable;

/** The eight cases of the public suite, in its order and under its ids. */
public enum FixedCase {
    AGENT_CARD("agent-card", "The agent card is found", true, null),
    PROTOCOL_VERSION("protocol-version", "The card speaks the version that was asked for", true, null),
    MESSAGE_SEND("message-send", "A message is answered by a task or a message", true, null),
    TASK_GET("task-get", "The task is found again, without history when asked so", true, null),
    STREAMING("capability.streaming", "Streaming works where it is offered", false, "streaming"),
    PUSH("capability.pushNotifications", "Push configurations work where offered", false, "pushNotifications"),
    HISTORY("capability.stateTransitionHistory", "History is kept where offered", false, "stateTransitionHistory"),
    EXTENDED_CARD(
            "capability.extendedAgentCard", "The extended card is there where offered", false, "extendedAgentCard");

    public final String id;
    public final String title;
    public final boolean required;

    /** The capability of the card that it exercises, or null. */
    public final @Nullable String capability;

    FixedCase(String id, String title, boolean required, @Nullable String capability) {
        this.id = id;
        this.title = title;
        this.required = required;
        this.capability = capability;
    }
}
