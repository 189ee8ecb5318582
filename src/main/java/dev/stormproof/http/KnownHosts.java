package dev.stormproof.http;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The names by which a server is known. A request has to bring one of them, so that no foreign page reads the server through a browser, under
 * a name of its own that it lets lead there (DNS rebinding).
 *
 * <p>Beyond loopback an address does, since nobody else's name is in it, and so does a name without a dot, which no stranger can own.
 */
public final class KnownHosts {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern OWN = Pattern.compile("[0-9.]+|\\[[0-9a-f:.%]+]|[0-9a-z_-]+");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    private final TreeSet<String> names = new TreeSet<>(LOOPBACK);
    private final boolean loopback;

    /** @param further names by which it is known besides */
    public KnownHosts(InetSocketAddress address, Collection<String> further) {
        loopback = address.getAddress().isLoopbackAddress();
        names.add(address.getHostString().toLowerCase(Locale.ROOT));
        further.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    }

    /** True if a request that has these headers {@code Host} names the server. */
    boolean areNamedBy(List<String> hostHeaders) {
        if (hostHeaders.size() != 1) {
            return false;
        }
        String name = PORT.matcher(hostHeaders.get(0)).replaceFirst("").toLowerCase(Locale.ROOT);
        return names.contains(name) || (!loopback && OWN.matcher(name).matches());
    }
}
