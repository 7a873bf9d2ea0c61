package dev.harmovela.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events to a hub without any understanding of what it carries: events out,
 * events in, in order (§13). Any thread.
 */
public final class GrpcSocket implements AutoCloseable {

    private static final String METHOD = "harmovela.v1.HarmovelaTransport/Stream";
    private static final int TAG = (1 << 3) | 2;

    private final @Nullable GrpcChannel own;
    private final GrpcCall call;

    private GrpcSocket(GrpcChannel channel, @Nullable GrpcChannel own, Map<String, String> metadata) {
        this.own = own;
        this.call = channel.call(METHOD, GrpcChannel.Kind.BIDI_STREAMING, metadata);
    }

    /**
     * Connects on a connection of its own and waits until the hub has let the stream in.
     *
     * @param authority {@code host:port}
     * @param metadata {@code authorization}, {@code harmovela-session-id} and others
     * @throws IOException when it did not; {@link GrpcRefused} when the hub said why
     */
    public static GrpcSocket connect(String authority, Map<String, String> metadata, Duration patience)
            throws IOException, InterruptedException {
        GrpcChannel channel = GrpcChannel.to(authority, GrpcChannel.Security.PLAIN);
        return let(new GrpcSocket(channel, channel, metadata), patience);
    }

    /** The same over a connection that others use too. */
    public static GrpcSocket connect(GrpcChannel channel, Map<String, String> metadata, Duration patience)
            throws IOException, InterruptedException {
        return let(new GrpcSocket(channel, null, metadata), patience);
    }

    private static GrpcSocket let(GrpcSocket socket, Duration patience) throws IOException, InterruptedException {
        if (socket.call.awaitBegin(patience)) {
            return socket;
        }
        GrpcEnd end = socket.call.end();
        socket.close();
        throw end == null ? new IOException("no answer in " + patience.toMillis() + " ms") : new GrpcRefused(end);
    }

    /** Sends one event; waits while too much has not left. False when the stream is over. */
    public boolean send(String event) throws InterruptedException {
        return call.send(encode(event.getBytes(StandardCharsets.UTF_8)));
    }

    /** The next event, or null when none came in time or the stream ended. */
    public @Nullable String receive(Duration patience) throws IOException, InterruptedException {
        return call.receive(patience) instanceof GrpcCall.Step.Data(byte[] message) ? decode(message) : null;
    }

    /** The call itself. */
    public GrpcCall call() {
        return call;
    }

    /** Says that nothing more will be sent; answers still come, then the end. */
    public void halfClose() {
        call.halfClose();
    }

    /** How the stream ended, or null while it goes on. */
    public @Nullable GrpcEnd end() {
        return call.end();
    }

    @Override
    public void close() {
        call.close();
        if (own != null) {
            own.close();
        }
    }

    /** One event as a {@code HarmovelaMessage}. */
    static byte[] encode(byte[] event) {
        byte[] message = new byte[1 + CodedOutputStream.computeUInt32SizeNoTag(event.length) + event.length];
        CodedOutputStream out = CodedOutputStream.newInstance(message);
        try {
            out.writeUInt32NoTag(TAG);
            out.writeUInt32NoTag(event.length);
            out.writeRawBytes(event);
            out.flush();
            return message;
        } catch (IOException impossible) {
            throw new IllegalStateException("the array has the right size", impossible);
        }
    }

    private static String decode(byte[] message) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(message);
        String event = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == TAG) {
                event = in.readStringRequireUtf8();
            } else {
                in.skipField(tag);
            }
        }
        return event;
    }
}
