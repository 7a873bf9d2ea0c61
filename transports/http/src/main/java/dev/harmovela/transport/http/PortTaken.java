package dev.harmovela.transport.http;

/** The address cannot be bound: somebody else listens there, or it is not an address of this machine. */
public final class PortTaken extends Exception {

    private static final long serialVersionUID = 1L;

    private final String host;
    private final int port;

    PortTaken(String host, int port, Throwable cause) {
        super("cannot listen on " + host + ":" + port + " (" + cause.getMessage() + ")", cause);
        this.host = host;
        this.port = port;
    }

    /** The address that was asked for. */
    public String host() {
        return host;
    }

    /** The port that was asked for. */
    public int port() {
        return port;
    }
}
