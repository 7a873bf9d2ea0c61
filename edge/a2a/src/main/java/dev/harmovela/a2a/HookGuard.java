package dev.harmovela.a2a;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says where push notifications may go: public addresses over http or https, in plain spelling. Pure but for {@link
 * #resolve}.
 *
 * @param local whether the addresses of this machine are allowed too
 */
record HookGuard(boolean local) {

    private static final int OCTETS = 4;

    /** The address, when its form is allowed; null otherwise. */
    @Nullable URI form(String url) {
        try {
            URI uri = new URI(url);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            boolean web = scheme.equals("http") || scheme.equals("https");
            String host = uri.getHost();
            if (!web || host == null || uri.getUserInfo() != null || uri.getPort() == 0) {
                return null;
            }
            return isPlain(host) ? uri : null;
        } catch (URISyntaxException noAddress) {
            return null;
        }
    }

    /** Numbers are only taken as four decimal ones without leading zeros; no IPv4 address inside an IPv6 one. */
    private static boolean isPlain(String host) {
        if (host.startsWith("[")) {
            return !host.contains(".") && !host.toLowerCase(Locale.ROOT).contains("ffff:") && !host.contains("%");
        }
        String last = host.substring(host.lastIndexOf('.') + 1);
        boolean numeric = last.isEmpty() || last.matches("(?i)[0-9]+|0x[0-9a-f]*");
        if (!numeric) {
            return true;
        }
        String[] pieces = host.split("\\.", -1);
        return pieces.length == OCTETS && Arrays.stream(pieces).allMatch(each -> each.matches("0|[1-9][0-9]{0,2}"));
    }

    /** The addresses of a host. Blocks. */
    static List<InetAddress> resolve(URI uri) throws UnknownHostException {
        String host = uri.getHost();
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return List.of(InetAddress.getAllByName(bare));
    }

    /** Whether notifications may go to every one of these. */
    boolean allows(List<InetAddress> addresses) {
        return !addresses.isEmpty() && addresses.stream().allMatch(this::allows);
    }

    private boolean allows(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return local;
        }
        if (address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] b = address.getAddress();
        return switch (address) {
            case Inet4Address _ -> isPublic(b[0] & 0xff, b[1] & 0xff, b[2] & 0xff);
            case Inet6Address _ -> isPublic(b);
            default -> false;
        };
    }

    private static boolean isPublic(int a, int b, int c) {
        boolean carrier = a == 100 && b >= 64 && b < 128;
        boolean special = (a == 192 && b == 0 && (c == 0 || c == 2)) || (a == 198 && (b == 18 || b == 19));
        return a != 0 && a < 224 && !carrier && !special;
    }

    /** Global unicast, without what embeds addresses of the older kind (6to4, Teredo, NAT64). */
    private static boolean isPublic(byte[] b) {
        boolean global = (b[0] & 0xe0) == 0x20;
        boolean sixToFour = b[0] == 0x20 && b[1] == 0x02;
        boolean teredo = b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0;
        return global && !sixToFour && !teredo;
    }
}
