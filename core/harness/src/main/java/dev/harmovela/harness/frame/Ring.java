package dev.harmovela.harness.frame;

import dev.harmovela.contract.Event;
import dev.harmovela.contract.EventRegistry;
import dev.harmovela.contract.In;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The newest events by log position, bounded by bytes: most readers live here and never touch the disk.
 *
 * <p>The last few are kept as they are, the others as records in a few large blocks that are used again and again:
 * events that
 * stayed for as long as the ring reaches back would each have to be moved by the garbage collector. Positions
 * without an event
 * (frames of facts only) hold nothing. What is not durable yet is never dropped, since it cannot be read back. One
 * owner, not
 * thread-safe.
 */
public final class Ring {

    private static final int LARGEST_BLOCK = 1 << 20;
    private static final int BLOCKS = 16;
    private static final int FIRST_SLOTS = 1024;
    /** What a position counts besides its record, so that many without an event are bounded too. */
    private static final int SLOT_COST = 32;

    private final EventRegistry registry;
    private final long maxBytes;
    private final int blockBytes;
    private final long recentBytes;
    private final ArrayDeque<Block> blocks = new ArrayDeque<>();
    private @Nullable Block spare;
    private Slots slots = new Slots(FIRST_SLOTS);
    private long first = 1;
    private long next = 1;
    private long recent = 1;
    private long heldBytes;
    private long heldRecent;

    /** @param maxBytes of records; a few blocks more are held while they are not durable */
    public Ring(EventRegistry registry, long maxBytes) {
        this.registry = registry;
        this.maxBytes = maxBytes;
        this.blockBytes = (int) Math.clamp(maxBytes / BLOCKS, 1, LARGEST_BLOCK);
        this.recentBytes = maxBytes / BLOCKS * 2;
    }

    /** Records of consecutive positions. */
    private static final class Block {
        final byte[] bytes;
        int size;
        int cost;
        long last;

        Block(int length) {
            bytes = new byte[length];
        }
    }

    /** What is known of each position held, by its lowest bits. */
    private static final class Slots {
        final @Nullable Event[] recent;
        final @Nullable Block[] blocks;
        final @Nullable String[] tenants;
        final int[] offsets;
        final int[] lengths;

        Slots(int count) {
            recent = new Event[count];
            blocks = new Block[count];
            tenants = new String[count];
            offsets = new int[count];
            lengths = new int[count];
        }

        int of(long lsn) {
            return (int) (lsn & recent.length - 1);
        }

        void copy(Slots from, long lsn) {
            int source = from.of(lsn);
            int target = of(lsn);
            recent[target] = from.recent[source];
            blocks[target] = from.blocks[source];
            tenants[target] = from.tenants[source];
            offsets[target] = from.offsets[source];
            lengths[target] = from.lengths[source];
        }
    }

    /** Empties the ring; the next position added is {@code nextLsn}. */
    public void restart(long nextLsn) {
        blocks.clear();
        slots = new Slots(FIRST_SLOTS);
        first = nextLsn;
        next = nextLsn;
        recent = nextLsn;
        heldBytes = 0;
        heldRecent = 0;
    }

    /** Oldest position held. */
    public long first() {
        return first;
    }

    /** Newest position held, {@code first() - 1} when empty. */
    public long last() {
        return next - 1;
    }

    /** Adds the next position, which has no event. */
    public void addNone(String tenant) {
        int slot = next(null, tenant);
        slots.lengths[slot] = 0;
        charge(blockFor(0), 0);
    }

    /** Adds the next position; the event's record lies in {@code frame}. */
    public void add(Event event, String tenant, byte[] frame, int offset, int length) {
        int slot = next(event, tenant);
        Block block = blockFor(length);
        System.arraycopy(frame, offset, block.bytes, block.size, length);
        slots.blocks[slot] = block;
        slots.offsets[slot] = block.size;
        slots.lengths[slot] = length;
        block.size += length;
        charge(block, length);
        heldRecent += length;
        while (heldRecent > recentBytes) {
            forgetRecent();
        }
    }

    private void charge(Block block, int length) {
        int cost = length + SLOT_COST;
        block.last = next;
        block.cost += cost;
        heldBytes += cost;
        next++;
    }

    private int next(@Nullable Event event, String tenant) {
        if (next - first == slots.recent.length) {
            grow();
        }
        int slot = slots.of(next);
        slots.recent[slot] = event;
        slots.tenants[slot] = tenant;
        slots.blocks[slot] = null;
        return slot;
    }

    private Block blockFor(int length) {
        Block last = blocks.peekLast();
        if (last != null && last.cost + length <= blockBytes) {
            return last;
        }
        Block block = spare != null && length <= blockBytes ? spare : new Block(Math.max(length, blockBytes));
        if (block == spare) {
            spare = null;
            block.size = 0;
            block.cost = 0;
        }
        blocks.add(block);
        return block;
    }

    private void forgetRecent() {
        int slot = slots.of(recent);
        if (slots.recent[slot] != null) {
            slots.recent[slot] = null;
            heldRecent -= slots.lengths[slot];
        }
        recent++;
    }

    /**
     * Drops the oldest positions, a block of them at a time, while over the bound and not behind {@code
     * durableLsn}.
     */
    public void trim(long durableLsn) {
        while (heldBytes > maxBytes) {
            Block oldest = blocks.getFirst();
            if (oldest.last > durableLsn || blocks.size() == 1) {
                return;
            }
            blocks.removeFirst();
            heldBytes -= oldest.cost;
            if (oldest.bytes.length == blockBytes) {
                spare = oldest;
            }
            while (recent <= oldest.last) {
                forgetRecent();
            }
            while (first <= oldest.last) {
                slots.blocks[slots.of(first)] = null;
                first++;
            }
        }
    }

    public boolean holds(long lsn) {
        return lsn >= first && lsn < next;
    }

    /** The event at a position that is held; null when that position has none. */
    public @Nullable Event at(long lsn) {
        int slot = slots.of(lsn);
        Event known = slots.recent[slot];
        Block block = slots.blocks[slot];
        if (known != null || block == null) {
            return known;
        }
        return Event.readRecord(new In(block.bytes, slots.offsets[slot], slots.lengths[slot]), registry);
    }

    /** Tenant of the frame at a position that is held. */
    public @Nullable String tenantAt(long lsn) {
        return slots.tenants[slots.of(lsn)];
    }

    private void grow() {
        Slots bigger = new Slots(slots.recent.length * 2);
        for (long lsn = first; lsn < next; lsn++) {
            bigger.copy(slots, lsn);
        }
        slots = bigger;
    }
}
