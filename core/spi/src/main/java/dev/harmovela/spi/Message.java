package dev.harmovela.spi;

/**
 * One outgoing event as two byte ranges that follow each other: a head made for this copy and a body shared by all.
 *
 * <p>Reused by the hub between calls; a transport copies what it needs before it returns.
 */
public final class Message {

    /** Id of the event. */
    public String id = "";

    /** Type of the event. */
    public String type = "";

    public byte[] head = {};
    public int headLength;
    public byte[] body = {};
    public int bodyOffset;
    public int bodyLength;

    /** True for the answer to input that was not JSON at all; stdio writes it to stderr. */
    public boolean diagnostic;

    /** True for the direct answer to an input of this connection, false for deliveries and events. */
    public boolean answer;

    /** True for a delivery with a cursor: whoever got it may go on behind it. */
    public boolean resumable;

    /** Bytes of head and body together. */
    public int length() {
        return headLength + bodyLength;
    }

    /** Copies head and body into {@code target} at {@code offset}; returns the bytes written. */
    public int copyTo(byte[] target, int offset) {
        System.arraycopy(head, 0, target, offset, headLength);
        System.arraycopy(body, bodyOffset, target, offset + headLength, bodyLength);
        return length();
    }

    /** A fresh array with head and body. */
    public byte[] toByteArray() {
        byte[] bytes = new byte[length()];
        copyTo(bytes, 0);
        return bytes;
    }
}
