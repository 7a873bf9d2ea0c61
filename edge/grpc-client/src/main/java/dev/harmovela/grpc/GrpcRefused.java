package dev.harmovela.grpc;

import java.io.IOException;

/** A server did not let a call in. */
public final class GrpcRefused extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient GrpcEnd end;

    GrpcRefused(GrpcEnd end) {
        super(end.toString());
        this.end = end;
    }

    /** What it said. */
    public GrpcEnd end() {
        return end;
    }
}
