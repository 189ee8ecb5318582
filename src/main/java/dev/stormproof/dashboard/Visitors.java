package dev.stormproof.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of who may see the page.
 *
 * <p>A request has to name a host that the server is known by, so that no foreign page reaches it by a name of its own that
 * leads here (DNS rebinding). Beyond loopback it also has to bring the token, once in the address and from then on in a cookie.
 */
final class Visitors {
    static final String TOKEN = "token";

    private static final int TOKEN_BYTES = 24;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-fA-F:.%]+]");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");

    private final String host;
    private final Optional<String> token;

    private Visitors(String host, Optional<String> token) {
        this.host = host;
        this.token = token;
    }

    /** The rules for a server that listens at an address. */
    static Visitors of(InetSocketAddress address) {
        if (address.getAddress().isLoopbackAddress()) {
            return new Visitors(address.getHostString(), Optional.empty());
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new Visitors(address.getHostString(), Optional.of(HexFormat.of().formatHex(random)));
    }

    /** The token to bring; empty if none is needed. */
    Optional<String> token() {
        return token;
    }

    /** True if a header {@code Host} names this server. An address does, since nobody else's name is in it. */
    boolean isKnown(@Nullable String hostHeader) {
        if (hostHeader == null) {
            return false;
        }
        String name = PORT.matcher(hostHeader).replaceFirst("");
        return LOOPBACK.contains(name)
                || name.equalsIgnoreCase(host)
                || (token.isPresent() && ADDRESS.matcher(name).matches());
    }

    /** True if what was brought is the token; takes the same time whatever it is. */
    boolean isToken(String brought) {
        return token.isPresent() && MessageDigest.isEqual(token.get().getBytes(UTF_8), brought.getBytes(UTF_8));
    }

    /** True if no token is needed, or one of the headers {@code Cookie} brings it. */
    boolean areAdmitted(List<String> cookieHeaders) {
        return token.isEmpty()
                || cookieHeaders.stream()
                        .flatMap(header -> Pattern.compile("; *").splitAsStream(header))
                        .filter(cookie -> cookie.startsWith(cookieName() + "="))
                        .anyMatch(
                                cookie -> isToken(cookie.substring(cookieName().length() + 1)));
    }

    /** The cookie that brings the token from now on, to this server alone. */
    String cookie() {
        return cookieName() + "=" + token.orElse("") + "; HttpOnly; SameSite=Strict; Path=/";
    }

    private static String cookieName() {
        return "stormproof";
    }
}
