package dev.harmovela.transport.link;

/**
 * Names of the headers and fields beside an event (§13); the {@code aep-} is kept for other implementations (D19).
 */
public final class Headers {

    public static final String TYPE = "aep-type";
    public static final String SOURCE = "aep-source";
    public static final String SESSION = "aep-session";
    public static final String CONVERSATION = "aep-conversation";
    public static final String TASK = "aep-task";
    public static final String CORRELATION = "aep-correlation";
    public static final String CAUSATION = "aep-causation";
    public static final String DELIVERY_MODE = "aep-delivery-mode";
    /** The persistent id of the hub that wrote it (D36). */
    public static final String HUB = "aep-hub";
    /** The session it is for, where several share a name (D36). */
    public static final String TO = "aep-to";
    /** The same for every retry of one send, another for every other send (D38). */
    public static final String DEDUPE = "aep-dedupe";
    /** The field of a Redis entry that holds the event. */
    public static final String BODY = "body";

    /** What a stored thing of the hub is marked with that came in through an import (D36). */
    public static final String IMPORTED = "imported_from";

    private Headers() {}
}
