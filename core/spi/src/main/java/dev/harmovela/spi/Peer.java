package dev.harmovela.spi;

/** The outgoing side of one wire, implemented by a transport. Every method is called on the hub's executor. */
public interface Peer {

    /**
     * Whether more deliveries may be sent now; once false, {@link Connection#writable()} must follow when there is
     * room.
     */
    boolean writable();

    /**
     * Queues one message; never blocks. Answers are sent even while not writable; the transport bounds its own
     * buffer and closes.
     */
    void send(Message message);

    /** Puts what was queued on the wire. */
    void flush();

    /** Ends the wire after what was queued; idempotent. */
    void close(CloseReason reason, String text);
}
