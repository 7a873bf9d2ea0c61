package dev.harmovela.contract;

/** Which part of the hub owns a family of event types (§2). */
public enum Dimension {
    EVENT,
    RECOVERY,
    GOVERNANCE,
    TASK,
    STATE,
    CONTEXT,
    DELEGATION,
    TOOL,
    AGENT,
    ENVIRONMENT,
    COMMAND,
    QUERY,
    ADAPTATION,
    /** Families that operators registered: carried, never interpreted. */
    OPERATOR
}
