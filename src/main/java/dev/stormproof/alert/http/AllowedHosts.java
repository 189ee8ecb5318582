package dev.stormproof.alert.http;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The host names that requests may use. A request needs one of them, so that no foreign page can read the server through a browser with a name
 * that resolves to it (DNS rebinding).
 *
 * <p>Except on loopback, addresses are allowed, because they contain no foreign name, and so are names without a dot, which no stranger can own.
 */
public final class AllowedHosts {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String DIGITS = "0123456789";
    private static final String OF_IPV4 = DIGITS + ".";
    private static final String OF_IPV6 = DIGITS + "abcdef:.%";
    private static final String OF_A_LABEL = DIGITS + "abcdefghijklmnopqrstuvwxyz_-";

    private final TreeSet<String> names = new TreeSet<>(LOOPBACK);
    private final boolean loopback;

    /** @param further further names of the server */
    public AllowedHosts(InetSocketAddress address, Collection<String> further) {
        loopback = address.getAddress().isLoopbackAddress();
        names.add(address.getHostString().toLowerCase(Locale.ROOT));
        further.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    }

    /** True if a request that has these headers {@code Host} names the server. */
    boolean allow(List<String> hostHeaders) {
        if (hostHeaders.size() != 1) {
            return false;
        }
        String name = withoutPort(hostHeaders.get(0)).toLowerCase(Locale.ROOT);
        return names.contains(name) || (!loopback && isNobodyElses(name));
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon >= 0 && isOf(DIGITS, host.substring(colon + 1)) ? host.substring(0, colon) : host;
    }

    private static boolean isNobodyElses(String name) {
        if (name.startsWith("[") && name.endsWith("]")) {
            return isOf(OF_IPV6, name.substring(1, name.length() - 1));
        }
        return !name.isEmpty() && (isOf(OF_IPV4, name) || isOf(OF_A_LABEL, name));
    }

    private static boolean isOf(String characters, String text) {
        return text.chars().allMatch(one -> characters.indexOf(one) >= 0);
    }
}
