package dev.harmovela.harness.delivery;

/**
 * What one tenant has in flight over all its subscriptions, and how much that may be. When it is used up its feeds
 * wait, and they are told when there is room again. One owner, not thread-safe.
 */
public final class Allowance {

    private final Runnable roomAgain;
    private long most = Long.MAX_VALUE;
    private long mostBytes = Long.MAX_VALUE;
    private long count;
    private long bytes;
    private boolean awaited;

    /** @param roomAgain called when something waited and there is room; must not hand out within the call */
    public Allowance(Runnable roomAgain) {
        this.roomAgain = roomAgain;
    }

    /** From now on this many deliveries and bytes; {@link Long#MAX_VALUE} = no bound. */
    public void limit(long deliveries, long inBytes) {
        most = deliveries;
        mostBytes = inBytes;
        tellRoom();
    }

    boolean isFull() {
        boolean full = isUsedUp();
        awaited |= full;
        return full;
    }

    private boolean isUsedUp() {
        return count >= most || bytes >= mostBytes;
    }

    void add(long size) {
        count++;
        bytes += size;
    }

    void remove(long deliveries, long size) {
        count -= deliveries;
        bytes -= size;
        tellRoom();
    }

    private void tellRoom() {
        if (awaited && !isUsedUp()) {
            awaited = false;
            roomAgain.run();
        }
    }
}
