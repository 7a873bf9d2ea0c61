package dev.harmovela.transport.grpc;

/** The address cannot be bound: somebody else listens there, or it is not an address of this machine. */
public final class PortTaken extends Exception {

    private static final long serialVersionUID = 1L;

    PortTaken(String host, int port, Throwable cause) {
        super("cannot listen on " + host + ":" + port + " (" + reason(cause) + ")", cause);
    }

    private static String reason(Throwable failed) {
        Throwable deepest = failed;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }
}
