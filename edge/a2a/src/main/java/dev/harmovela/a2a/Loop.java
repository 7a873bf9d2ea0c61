package dev.harmovela.a2a;

/** The hub's one thread, as the endpoint uses it. Methods may be called from any thread. */
public interface Loop {

    /** Runs {@code task} on the thread after what it is doing now, never within the call. */
    void later(Runnable task);

    /** Runs {@code task} on the thread in {@code millis} milliseconds. */
    void after(long millis, Runnable task);
}
