package dev.harmovela.transport.link;

import dev.harmovela.contract.json.Json;
import org.jspecify.annotations.Nullable;

/** What the wires of a link share. On the hub's executor. */
interface LinkContext {

    LinkSettings settings();

    LinkHost host();

    Outbox outbox();

    LinkFigures figures();

    /** Tells what went wrong, in status and log. */
    void failed(String why);

    /** Whether an answer says what becomes of a message that was read, and goes no further. */
    boolean isSettledBy(LinkWire wire, Json.Obj answer, String type);

    /** The subject that waits for the answer to an event, or null. */
    @Nullable String replyTo(@Nullable String eventId);

    /** A wire has ended. */
    void gone(LinkWire wire);
}
