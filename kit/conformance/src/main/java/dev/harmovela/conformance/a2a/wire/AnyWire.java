package dev.harmovela.conformance.a2a.wire;

/** Sends each request over the wire of its address. Any thread. */
public record AnyWire(Client http, Client grpc) implements Client {

    @Override
    public Answer send(Request request) throws WireException {
        return of(request).send(request);
    }

    @Override
    public Opened open(Request request) throws WireException {
        return of(request).open(request);
    }

    private Client of(Request request) {
        String scheme = request.uri().getScheme();
        return scheme != null && scheme.startsWith("grpc") ? grpc : http;
    }
}
