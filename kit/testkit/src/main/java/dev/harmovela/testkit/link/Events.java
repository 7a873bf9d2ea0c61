package dev.harmovela.testkit.link;

import dev.harmovela.contract.json.Json;
import java.util.concurrent.atomic.AtomicLong;

/** Makes events of tests. */
public final class Events {

    private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

    private Events() {}

    /**
     * An event with an id of its own.
     *
     * @param members more members of the envelope, with a comma between them, or empty
     */
    public static Json.Obj of(String type, String source, String payload, String members) {
        String more = members.isEmpty() ? "" : "," + members;
        return (Json.Obj) Json.parse(("{\"spec_version\":\"0.2\",\"id\":\"evt_t%d\",\"type\":\"%s\",\"source\":\"%s\","
                        + "\"created_at\":\"2026-07-10T10:00:00Z\",\"payload\":%s%s}")
                .formatted(NEXT.incrementAndGet(), type, source, payload, more));
    }
}
