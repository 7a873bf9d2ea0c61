package dev.harmovela.transport.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** What this transport writes to the log: addresses and failures, never headers, addresses with a query, or bodies. */
final class Log {

    private static final Logger LOGGER = System.getLogger("dev.harmovela.transport.http");

    private Log() {}

    /** A peer that went away is nothing to report; anything else is a fault of ours. */
    static void connectionFailed(Channel channel, Throwable cause) {
        // a handshake that fails comes wrapped, as a fault of decoding
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (reason instanceof IOException) {
            LOGGER.log(
                    Level.DEBUG, () -> "connection of " + channel.remoteAddress() + " ended: " + reason.getMessage());
        } else {
            LOGGER.log(Level.WARNING, "connection of " + channel.remoteAddress() + " failed", cause);
        }
    }

    static void requestFailed(String path, Throwable cause) {
        LOGGER.log(Level.ERROR, "a request to " + path + " failed", cause);
    }

    static void listening(String host, int port) {
        LOGGER.log(Level.DEBUG, () -> "listening on " + host + ":" + port);
    }
}
