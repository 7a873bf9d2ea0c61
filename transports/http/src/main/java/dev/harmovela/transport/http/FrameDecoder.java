package dev.harmovela.transport.http;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Takes client frames of RFC 6455 out of a byte stream. Lengths are judged from the frame header, before a payload
 * is gathered. Payloads are copied once, into the {@link Scratch} that all connections of a loop share, and
 * unmasked there.
 */
final class FrameDecoder {

    /** What comes out. Arrays are valid during the call only. */
    interface Sink {
        /** One whole text message. */
        void text(byte[] bytes, int offset, int length);

        void ping(byte[] bytes, int length);

        void pong();

        /** The peer's close frame; {@code code} is 1005 when it gave none. */
        void close(int code);

        /** The peer broke the framing rules; nothing comes after this. */
        void violation(int closeCode, String text);

        /** A message of at least {@code length} bytes was announced; nothing comes after this. */
        void tooLarge(long length);

        /** Whether to stop before the next frame. */
        boolean paused();
    }

    /** A byte array that grows to the largest payload; one per loop. */
    static final class Scratch {
        private byte[] bytes = new byte[4096];

        byte[] atLeast(int length) {
            if (bytes.length < length) {
                bytes = new byte[Math.max(length, bytes.length * 2)];
            }
            return bytes;
        }
    }

    static final int NO_CODE = 1005;
    static final int OP_CONTINUATION = 0x0;
    static final int OP_TEXT = 0x1;
    static final int OP_BINARY = 0x2;
    static final int OP_CLOSE = 0x8;
    static final int OP_PING = 0x9;
    static final int OP_PONG = 0xA;
    static final int MAX_CONTROL = 125;

    private static final int FIN = 0x80;
    private static final int RESERVED_BITS = 0x70;
    private static final int MASKED = 0x80;
    private static final int SHORT_LENGTH = 126;
    private static final int LONG_LENGTH = 127;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final int maxMessage;
    private final Scratch scratch;
    private final Sink sink;
    private byte[] parts = {};
    private int partsLength;
    private boolean inParts;
    private boolean ended;

    FrameDecoder(int maxMessage, Scratch scratch, Sink sink) {
        this.maxMessage = maxMessage;
        this.scratch = scratch;
        this.sink = sink;
    }

    /** Takes every complete frame from {@code in} and leaves the rest there. */
    void decode(ByteBuf in) {
        while (!ended && !sink.paused() && next(in)) {
            // next() moves the reader index
        }
    }

    private boolean next(ByteBuf in) {
        int readable = in.readableBytes();
        if (readable < 2) {
            return false;
        }
        int at = in.readerIndex();
        int first = in.getByte(at) & 0xFF;
        int second = in.getByte(at + 1) & 0xFF;
        if (breaksRules(first, second)) {
            return false;
        }
        int code = second & 0x7F;
        int lengthBytes = code == SHORT_LENGTH ? 2 : code == LONG_LENGTH ? 8 : 0;
        int header = 2 + lengthBytes + 4;
        if (readable < header) {
            return false;
        }
        long length = lengthBytes == 0 ? code : lengthBytes == 2 ? in.getUnsignedShort(at + 2) : in.getLong(at + 2);
        if ((lengthBytes == 2 && length < SHORT_LENGTH) || (lengthBytes == 8 && length >= 0 && length <= 0xFFFF)) {
            return !broken(CloseCodes.PROTOCOL_ERROR, "a frame length was not written in its shortest form");
        }
        if (length < 0) {
            return !broken(CloseCodes.PROTOCOL_ERROR, "a frame length was negative");
        }
        if (length > maxMessage - partsLength && (first & 0x0F) < OP_CLOSE) {
            ended = true;
            sink.tooLarge(length + partsLength);
            return false;
        }
        if (readable < header + length) {
            return false;
        }
        int payload = at + header;
        int mask = in.getInt(payload - 4);
        in.readerIndex(payload + (int) length);
        byte[] bytes = scratch.atLeast((int) length);
        unmask(in, payload, bytes, (int) length, mask);
        dispatch(first, bytes, (int) length);
        return true;
    }

    private boolean breaksRules(int first, int second) {
        int opcode = first & 0x0F;
        boolean last = (first & FIN) != 0;
        if ((first & RESERVED_BITS) != 0) {
            return broken(CloseCodes.PROTOCOL_ERROR, "no extension was negotiated");
        }
        if ((second & MASKED) == 0) {
            return broken(CloseCodes.PROTOCOL_ERROR, "client frames must be masked");
        }
        return switch (opcode) {
            case OP_TEXT ->
                inParts && broken(CloseCodes.PROTOCOL_ERROR, "a message began inside another fragmented one");
            case OP_CONTINUATION ->
                !inParts && broken(CloseCodes.PROTOCOL_ERROR, "a continuation came without a beginning");
            case OP_BINARY -> broken(CloseCodes.UNSUPPORTED_DATA, "events are sent as text frames");
            case OP_CLOSE, OP_PING, OP_PONG ->
                (!last || (second & 0x7F) > MAX_CONTROL)
                        && broken(CloseCodes.PROTOCOL_ERROR, "a control frame was fragmented or too long");
            default -> broken(CloseCodes.PROTOCOL_ERROR, "opcode " + opcode + " is reserved");
        };
    }

    /** Always true. */
    private boolean broken(int closeCode, String text) {
        ended = true;
        sink.violation(closeCode, text);
        return true;
    }

    private void dispatch(int first, byte[] bytes, int length) {
        boolean last = (first & FIN) != 0;
        switch (first & 0x0F) {
            case OP_TEXT, OP_CONTINUATION -> data(last, bytes, length);
            case OP_PING -> sink.ping(bytes, length);
            case OP_PONG -> sink.pong();
            default -> closeFrame(bytes, length);
        }
    }

    private void data(boolean last, byte[] bytes, int length) {
        if (last && !inParts) {
            sink.text(bytes, 0, length);
            return;
        }
        if (partsLength + length > parts.length) {
            parts = Arrays.copyOf(parts, Math.min(maxMessage, Math.max(partsLength + length, parts.length * 2)));
        }
        System.arraycopy(bytes, 0, parts, partsLength, length);
        partsLength += length;
        inParts = !last;
        if (last) {
            byte[] whole = parts;
            int wholeLength = partsLength;
            parts = new byte[0];
            partsLength = 0;
            sink.text(whole, 0, wholeLength);
        }
    }

    private void closeFrame(byte[] bytes, int length) {
        ended = true;
        if (length == 0) {
            sink.close(NO_CODE);
            return;
        }
        int code = length == 1 ? 0 : ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
        if (!CloseCodes.mayBeReceived(code)) {
            sink.violation(CloseCodes.PROTOCOL_ERROR, "a close frame carried no valid code");
            return;
        }
        sink.close(code);
    }

    private static void unmask(ByteBuf in, int from, byte[] target, int length, int mask) {
        in.getBytes(from, target, 0, length);
        long wide = ((long) mask << 32) | (mask & 0xFFFF_FFFFL);
        int i = 0;
        for (int end = length - 7; i < end; i += 8) {
            LONGS.set(target, i, (long) LONGS.get(target, i) ^ wide);
        }
        for (; i < length; i++) {
            target[i] ^= (byte) (mask >>> (24 - 8 * (i & 3)));
        }
    }
}
