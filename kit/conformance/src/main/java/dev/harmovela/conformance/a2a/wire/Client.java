package dev.harmovela.conformance.a2a.wire;

/**
 * How the kit reaches an endpoint; {@link NetworkWire} does it over the network. Implementations may be called by
 * several threads at once.
 */
public interface Client {

    /**
     * Sends a request and reads the whole answer. Redirects are answers like any other.
     *
     * @throws WireException when there is no answer in time, or none that can be read
     */
    Answer send(Request request) throws WireException;

    /**
     * Sends a request that is to be answered by an event stream.
     *
     * @throws WireException as {@link #send}
     */
    Opened open(Request request) throws WireException;
}
