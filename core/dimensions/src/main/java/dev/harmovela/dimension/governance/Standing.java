package dev.harmovela.dimension.governance;

/**
 * What is known of the sender apart from the event.
 *
 * @param tenant the tenant of its credential
 * @param rights what its credential grants and its session declared
 * @param rolesBelieved whether roles and tenant in the envelope count: on implied sessions only, never from the
 *     network (§7)
 */
public record Standing(String tenant, Rights rights, boolean rolesBelieved) {}
