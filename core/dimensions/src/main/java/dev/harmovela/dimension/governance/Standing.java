package dev.harmovela.dimension.governance;

import java.util.List;

/**
 * What is known of the sender apart from the event.
 *
 * @param tenant the tenant of its credential
 * @param roles the roles its credential grants
 * @param rolesBelieved whether roles and tenant in the envelope count: on implied sessions only, never from the
 * network (§7)
 */
public record Standing(String tenant, List<String> roles, boolean rolesBelieved) {

    public Standing {
        roles = List.copyOf(roles);
    }
}
