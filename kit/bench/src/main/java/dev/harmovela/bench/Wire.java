package dev.harmovela.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One connection of the load generator: bytes in are consumed as far as they are whole, bytes out are gathered and
 * leave in
 * one write per round of the {@link Loop}. One thread.
 */
abstract class Wire implements AutoCloseable {

    private static final int FIRST_SIZE = 16 * 1024;

    private final SocketChannel channel;
    private final SelectionKey key;
    private byte[] in = new byte[FIRST_SIZE];
    private int from;
    private int to;
    private byte[] out = new byte[FIRST_SIZE];
    private int outFrom;
    private int outTo;

    Wire(Loop loop, int port) {
        try {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            key = loop.add(this);
        } catch (IOException e) {
            throw new BenchFailed("no connection to port " + port, e);
        }
    }

    /** Takes whole messages from {@code bytes} and returns where the first incomplete one begins. */
    abstract int consume(byte[] bytes, int start, int end);

    final SelectionKey register(Selector selector) throws IOException {
        return channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Reads what is there and handles it. */
    final void readable() throws IOException {
        if (to == in.length) {
            makeRoom();
        }
        int count = channel.read(ByteBuffer.wrap(in, to, in.length - to));
        if (count < 0) {
            throw new BenchFailed("the server closed " + this);
        }
        to += count;
        from = consume(in, from, to);
        if (from == to) {
            from = 0;
            to = 0;
        }
    }

    private void makeRoom() {
        if (from > in.length / 2) {
            System.arraycopy(in, from, in, 0, to - from);
        } else {
            in = Arrays.copyOf(in, in.length * 2);
            System.arraycopy(in, from, in, 0, to - from);
        }
        to -= from;
        from = 0;
    }

    /** Room for {@code length} bytes in the outgoing buffer; write there, then call {@link #wrote}. */
    final byte[] room(int length) {
        if (out.length - outTo < length) {
            if (outFrom > 0) {
                System.arraycopy(out, outFrom, out, 0, outTo - outFrom);
                outTo -= outFrom;
                outFrom = 0;
            }
            if (out.length - outTo < length) {
                out = Arrays.copyOf(out, Math.max(out.length * 2, outTo + length));
            }
        }
        return out;
    }

    /** Where the next outgoing byte belongs. */
    final int position() {
        return outTo;
    }

    final void wrote(int length) {
        outTo += length;
    }

    final void send(byte[] bytes) {
        byte[] target = room(bytes.length);
        System.arraycopy(bytes, 0, target, outTo, bytes.length);
        outTo += bytes.length;
    }

    final void send(String text) {
        send(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Hands everything to the operating system, or as much as it takes. */
    final void flush() throws IOException {
        if (outFrom == outTo) {
            return;
        }
        outFrom += channel.write(ByteBuffer.wrap(out, outFrom, outTo - outFrom));
        if (outFrom == outTo) {
            outFrom = 0;
            outTo = 0;
            interest(SelectionKey.OP_READ);
        } else {
            interest(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    private void interest(int operations) {
        if (key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    /** Frees the buffers of a connection that will be idle. */
    final void shrink() {
        if (from == to && outFrom == outTo) {
            in = new byte[512];
            out = new byte[512];
        }
    }

    @Override
    public final void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new BenchFailed("a connection did not close", e);
        }
    }
}
