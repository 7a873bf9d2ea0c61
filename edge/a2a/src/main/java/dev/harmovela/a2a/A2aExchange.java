package dev.harmovela.a2a;

/** One HTTP request of A2A and its one answer, as the server hands it over. On the hub's executor only. */
public interface A2aExchange extends A2aRequest {

    /** The verb, in capitals. */
    String method();

    /** The decoded path without its query. */
    String path();

    /** The whole body; not to be modified. */
    byte[] body();

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
