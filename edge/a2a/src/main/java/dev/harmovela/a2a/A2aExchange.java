package dev.harmovela.a2a;

import dev.harmovela.spi.Caller;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP request of A2A and its one answer, as the server hands it over. On the hub's executor only. */
public interface A2aExchange {

    /** The verb, in capitals. */
    String method();

    /** The decoded path without its query. */
    String path();

    /** Decoded parameters of the query. */
    Map<String, List<String>> query();

    /** The first value of a header, or null. */
    @Nullable String header(String name);

    /** The whole body; not to be modified. */
    byte[] body();

    /** Who asks. */
    Caller caller();

    /** Adds a header to the answer that follows. */
    void with(String name, String value);

    /** Answers. What comes after the first answer is dropped. */
    void answer(int status, String mediaType, byte[] content);

    /** Runs {@code task} if the client goes away before it was answered. */
    void whenLeft(Runnable task);

    /**
     * Answers with server-sent events.
     *
     * @param onClosed runs once when the connection is gone
     */
    Events events(Runnable onClosed);

    /** An answer of server-sent events; nothing of it blocks. */
    interface Events {

        /** Sends one event of one line. */
        void event(long id, String data);

        /** Sends a comment. */
        void comment(String text);

        /** Ends the answer. */
        void end();
    }
}
