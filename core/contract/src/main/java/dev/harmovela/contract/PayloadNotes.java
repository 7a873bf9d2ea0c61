package dev.harmovela.contract;

import dev.harmovela.contract.json.JsonScanner;
import java.util.Arrays;

/**
 * What the one pass over an event sees of the members of its payload: name, kind and length. Enough to know for
 * most payloads
 * that they fit their schema without reading them again.
 */
final class PayloadNotes {

    private static final int MOST = 32;

    private final int[] nameAt = new int[MOST];
    private final int[] hashes = new int[MOST];
    private final byte[] leads = new byte[MOST];
    private final int[] lengths = new int[MOST];
    private int count;
    private boolean complete;

    void begin() {
        count = 0;
        complete = true;
    }

    /**
     * Notes the member whose value has just been read.
     *
     * @param name position behind the first quote of its key
     * @param lead first byte of its value
     * @param start position of that byte
     */
    void add(JsonScanner scanner, int name, int lead, int start) {
        if (count == MOST || scanner.keyEscaped()) {
            complete = false;
            return;
        }
        nameAt[count] = name;
        hashes[count] = scanner.keyHash();
        leads[count] = (byte) lead;
        lengths[count] = scanner.position() - start;
        count++;
    }

    /** Whether every member was noted. */
    boolean complete() {
        return complete;
    }

    int count() {
        return count;
    }

    int hash(int i) {
        return hashes[i];
    }

    /** First byte of the value. */
    int lead(int i) {
        return leads[i];
    }

    /** Bytes of the value, quotes included. */
    int length(int i) {
        return lengths[i];
    }

    boolean isCalled(int i, byte[] buffer, byte[] name) {
        int from = nameAt[i];
        int to = from + name.length;
        return to < buffer.length && buffer[to] == '"' && Arrays.equals(buffer, from, to, name, 0, name.length);
    }
}
