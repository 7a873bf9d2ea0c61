package dev.harmovela.testkit.link;

import dev.harmovela.contract.json.Json;
import dev.harmovela.transport.link.Driver;
import java.util.List;
import java.util.Map;

/** A real broker that a test owns: it can be stopped, frozen and started again, and spoken to as a stranger does. */
public interface BrokerFixture extends AutoCloseable {

    /** Knows this kind of broker. */
    Driver driver();

    /** Where it is. */
    String url();

    /** Members of a link that this broker needs beside the usual ones. */
    default Json.Obj extra() {
        return Json.Obj.of();
    }

    /** Starts it again on the same address and the same data. */
    void start();

    /** Ends it at once. */
    void kill();

    /** Stops its process without ending it (SIGSTOP). */
    void freeze();

    /** Lets a frozen one go on. */
    void thaw();

    /** Writes as a stranger. */
    void put(String place, byte[] body, Map<String, String> headers) throws Exception;

    /** Everything at that place, the oldest first. */
    List<Seen> all(String place) throws Exception;

    @Override
    void close();

    /** A message as a stranger sees it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Seen(byte[] body, Map<String, String> headers) {

        /** The event in it. */
        public Json.Obj event() {
            return (Json.Obj) Json.parse(body, 0, body.length);
        }
    }
}
