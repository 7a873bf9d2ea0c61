package dev.harmovela.conformance.a2a.wire;

import dev.harmovela.conformance.a2a.wire.WireException.Kind;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Where the kit may go. A card names further addresses, so a foreign card must not lead the kit into the network it
 * runs in: loopback is open only when the endpoint itself was given there, private networks only when that was allowed.
 *
 * @param loopback whether loopback is open
 * @param privateNetworks whether private and link-local addresses are open
 */
public record AddressGuard(boolean loopback, boolean privateNetworks) {

    private static final List<String> SCHEMES = List.of("http", "https", "grpc", "grpcs");
    private static final int CARRIER_NAT_FIRST = 100;
    private static final int CARRIER_NAT_SECOND = 64;
    private static final int UNIQUE_LOCAL = 0xfc;

    /** The guard for an endpoint that was named by whoever started the kit. */
    public static AddressGuard forEndpoint(URI endpoint, boolean privateNetworks) {
        return new AddressGuard(isLoopback(endpoint), privateNetworks);
    }

    /** Whether the address is one of this machine alone; false when it cannot be resolved. */
    public static boolean isLoopback(URI uri) {
        try {
            return InetAddress.getByName(host(uri)).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** The host without brackets; empty when there is none. */
    public static String host(URI uri) {
        String host = uri.getHost() == null ? "" : uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Throws when the kit may not go there. An address that cannot be resolved is left to the connection. */
    public void check(URI uri) throws WireException {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme();
        if (!SCHEMES.contains(scheme)) {
            throw new WireException(Kind.FORBIDDEN, "the kit speaks " + String.join(", ", SCHEMES) + ", not " + uri);
        }
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host(uri));
        } catch (UnknownHostException unknown) {
            return;
        }
        for (InetAddress address : addresses) {
            if (address.isLoopbackAddress() && !loopback && !privateNetworks) {
                throw new WireException(
                        Kind.FORBIDDEN, uri + " is on loopback, where a foreign card does not lead the kit");
            }
            if (isPrivate(address) && !privateNetworks) {
                throw new WireException(
                        Kind.FORBIDDEN, uri + " is in a private network; --allow-private-network opens those");
            }
        }
    }

    /** Whether the kit may go there. */
    public boolean admits(URI uri) {
        try {
            check(uri);
            return true;
        } catch (WireException forbidden) {
            return false;
        }
    }

    private static boolean isPrivate(InetAddress address) {
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        boolean carrier = bytes.length == 4 && first == CARRIER_NAT_FIRST && (second & 0xc0) == CARRIER_NAT_SECOND;
        boolean uniqueLocal = address instanceof Inet6Address && (first & 0xfe) == UNIQUE_LOCAL;
        return address.isSiteLocalAddress()
                || address.isLinkLocalAddress()
                || address.isAnyLocalAddress()
                || address.isMulticastAddress()
                || carrier
                || uniqueLocal;
    }
}
