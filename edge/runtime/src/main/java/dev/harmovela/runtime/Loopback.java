package dev.harmovela.runtime;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Tells addresses that only this machine can reach. */
final class Loopback {

    private Loopback() {}

    /** Whether every address of that name is a loopback address; false for a name nobody knows. */
    static boolean is(String host) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
