package dev.harmovela.transport.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Notices a message that grows beyond the limit while it is still coming in. gRPC's own limit cuts the stream off
 * without a status; this one leaves time to say why (TRN-15). On gRPC's loop only.
 */
final class SizeWatch extends ServerStreamTracer {

    private static final Context.Key<SizeWatch> KEY = Context.key("harmovela-size");

    /** How much more may come while the stream is being ended. */
    private static final long PATIENCE = 16 * 1024 * 1024;

    private final long limit;
    private long size;
    private boolean told;
    private @Nullable Listener listener;

    /** Hears of a message that is too large. */
    @FunctionalInterface
    interface Listener {
        void tooLarge(long atLeast);
    }

    private SizeWatch(long limit) {
        this.limit = limit;
    }

    /** Watches every call of a server. */
    static Factory factory(long limit) {
        return new Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return new SizeWatch(limit);
            }
        };
    }

    /** Tells the watch of the call that is being started whom to tell. */
    static void listen(Listener listener) {
        SizeWatch watch = KEY.get();
        if (watch != null) {
            watch.listener = listener;
        }
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
        size += bytes;
        if (size > limit && !told && listener != null) {
            told = true;
            listener.tooLarge(size);
        }
        if (size > limit + PATIENCE) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("a message may have " + limit + " bytes")
                    .asRuntimeException();
        }
    }

    @Override
    public void inboundMessageRead(int number, long wireSize, long uncompressedSize) {
        size = 0;
    }
}
