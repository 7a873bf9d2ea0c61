package dev.harmovela.spi;

import org.jspecify.annotations.Nullable;

/** The hub's side of one wire. Every method is called on the hub's executor. */
public interface Connection {

    /** Takes one message (one event). The array is not kept. Never throws for what is in it. */
    void receive(byte[] buffer, int offset, int length);

    /** Answers a message that the transport itself had to refuse because it is larger than {@code limit} bytes. */
    void receiveTooLarge(long length, long limit);

    /** Ends a batch of messages that arrived together; what they wrote may now be forced. */
    void batchEnd();

    /** Whether the transport should go on reading; false while too much is unanswered (see {@link #onWantsInput}). */
    boolean wantsInput();

    /** {@link Peer#writable()} has become true again. */
    void writable();

    /** A sign of life that is no event (a pong). */
    void alive();

    /** Runs {@code reached} on the hub's executor after every answer to earlier input has been sent. */
    void fence(Runnable reached);

    /** Called by the hub when {@link #wantsInput()} becomes true again. */
    void onWantsInput(Runnable callback);

    /** The heartbeat interval its session agreed on in milliseconds, 0 when there is none. */
    long heartbeatMillis();

    /** The session this wire speaks for, once there is exactly one. */
    @Nullable String sessionId();

    /** The wire is gone; its sessions stay resumable. */
    void closed();

    /** The input ended in an orderly way (stdio end of file): open sessions of this wire are closed and told so. */
    void inputEnded();
}
